-- {{command}}
-- SPDX-License-Identifier: Apache-2.0
--
-- {{top}} for VHDL: compile this package, and the SystemVerilog sources beside it, in one library.

library ieee;
use ieee.std_logic_1164.all;

package {{top}}_component is

  component {{top}} is
    port (
{{ports}}
    );
  end component;

end package;

-- {{command}}
--
-- A template to copy from: an instance of {{top}}, each port on a signal of its name.

-- Before the entity:
use work.{{top}}_component.all;

-- Between `architecture` and `begin`:
{{signals}}

-- After `begin`:
u_aes : {{top}}
  port map (
{{map}}
  );

# {{command}}
#
# Quartus: quartus_sh -t projects/quartus.tcl "Cyclone V" 5CSEBA6U23I7
# Compiles {{top}} with virtual pins but for the clock: it has no pins of a package.

package require ::quartus::project
package require ::quartus::flow

set root [file dirname [file dirname [file normalize [info script]]]]
set arguments [expr {[info exists quartus(args)] ? $quartus(args) : {}}]
lassign [expr {[llength $arguments] == 2 ? $arguments : {{Cyclone V} 5CSEBA6U23I7}}] family device

file mkdir $root/build/quartus
cd $root/build/quartus
project_new -overwrite {{top}}
set_global_assignment -name FAMILY $family
set_global_assignment -name DEVICE $device
set_global_assignment -name TOP_LEVEL_ENTITY {{top}}
foreach source {
{{sources}}
} {
  set_global_assignment -name SYSTEMVERILOG_FILE $root/$source
}
set_global_assignment -name SDC_FILE $root/constraints/{{top}}.sdc
set_instance_assignment -name VIRTUAL_PIN ON -to *
set_instance_assignment -name VIRTUAL_PIN OFF -to clk_i
execute_flow -compile
project_close

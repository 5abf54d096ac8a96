# {{command}}
#
# Vivado: vivado -mode batch -source projects/vivado.tcl -tclargs xc7a100tcsg324-1
# Synthesizes, places and routes {{top}} out of context: it has no pins of a package.

set root [file dirname [file dirname [file normalize [info script]]]]
set part [expr {$argc > 0 ? [lindex $argv 0] : "xc7a100tcsg324-1"}]

create_project -force -part $part {{top}} $root/build/vivado
foreach source {
{{sources}}
} {
  add_files -norecurse $root/$source
  set_property file_type SystemVerilog [get_files $root/$source]
}
add_files -fileset constrs_1 -norecurse $root/constraints/{{top}}.xdc
set_property top {{top}} [current_fileset]
set_property -name {STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS} -value {-mode out_of_context} -objects [get_runs synth_1]

launch_runs impl_1 -to_step route_design
wait_on_run impl_1
open_run impl_1
report_utilization -hierarchical -file $root/build/vivado/utilization.rpt
report_timing_summary -file $root/build/vivado/timing.rpt

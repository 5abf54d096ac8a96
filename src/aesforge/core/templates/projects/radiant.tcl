# {{command}}
#
# Lattice Radiant: radiantc projects/radiant.tcl
# Synthesizes {{top}}. It has no pins of a package, so it is placed as a part of your design.

set root [file dirname [file dirname [file normalize [info script]]]]

file mkdir $root/build/radiant
cd $root/build/radiant
prj_create -name {{top}} -impl impl_1 -dev LFCPNX-100-9LFG672I -performance 9_High-Performance_1.0V -synthesis lse
foreach source {
{{sources}}
} {
  prj_add_source $root/$source
}
prj_add_source $root/constraints/{{top}}.sdc
prj_set_impl_opt -impl impl_1 top {{top}}
prj_save
prj_run Synthesis -impl impl_1
prj_close

// SPDX-License-Identifier: Apache-2.0
//
// certificate: the set of control states that a walk found, for formal/check_certificate.cpp.

#ifndef AESFORGE_EXPLORER_CERTIFICATE_H
#define AESFORGE_EXPLORER_CERTIFICATE_H

#include <string>

/// Writes the states of the last walk without their data. formal/check_certificate.cpp says what the
/// file consists of. `netlist` is the AIGER file of the core.
void write_certificate(const std::string& path, const std::string& netlist);

#endif

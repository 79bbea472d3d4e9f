// SPDX-License-Identifier: Apache-2.0
#include "cli/config.hpp"
#include "tests/fuzz/fuzz.hpp"

void fuzz(std::string_view bytes) { (void)tpuctl::cli::IniFile::parse(bytes, "config_fuzz"); }

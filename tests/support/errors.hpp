// SPDX-License-Identifier: Apache-2.0
// The Error that a call throws, as a value to look at.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"

namespace tpuctl::test {

/// The Error; a failed test when there is none.
template <class Call>
Error error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return {Kind::failure, "(no Error was thrown)"};
}

/// The message of the Error, or "" when the call was fine.
template <class Call>
std::string complaint_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace tpuctl::test

// SPDX-License-Identifier: Apache-2.0
// Subject tokens: what somebody else's identity provider says about this machine or user, to be exchanged for a token
// of Google's. They live for minutes, so each exchange takes a new one from its source.
#pragma once

#include <memory>
#include <string>

#include "auth/kinds.hpp"

namespace tpuctl::auth {

class SubjectSource {
 public:
  virtual ~SubjectSource() = default;
  /// Throws Error{denied|unavailable} that names the source.
  virtual std::string token(TimePoint now) = 0;
  /// "the file [PATH]": for messages.
  virtual std::string name() const = 0;
};

/// The source that `credential_source` of an external_account describes: a file, a URL, a program or AWS. Refuses what
/// is none of these or more than one, and X.509 certificates.
std::unique_ptr<SubjectSource> subject_source(const Material& material);

/// The kinds, one file each.
std::unique_ptr<SubjectSource> subject_from_file(const Material& material);
std::unique_ptr<SubjectSource> subject_from_url(const Material& material);
std::unique_ptr<SubjectSource> subject_from_program(const Material& material);
std::unique_ptr<SubjectSource> subject_from_aws(const Material& material);

/// How a file or an answer holds the token: as it is, or in a field of a JSON object (`credential_source.format`).
class SubjectFormat {
 public:
  explicit SubjectFormat(const Material& material);
  /// Throws Error{denied} with `name` when there is no token in the text; shows none of it.
  std::string read(const std::string& text, const std::string& name) const;

 private:
  std::string field_;  ///< empty: the whole text
};

}  // namespace tpuctl::auth

// SPDX-License-Identifier: Apache-2.0
// Answers of the service in every dress, byte for byte as gcloud prints them (data/output_cases.json), and where tpuctl
// differs on purpose (data/output_differences.json). data/record_output.py asks gcloud itself.
#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/output/pipeline.hpp"

namespace tpuctl::cli::output {
namespace {

using ::testing::HasSubstr;

Json data(const std::string& name) {
  return Json::parse(file::read(file::join(file::dir_name(__FILE__), "data/" + name)));
}

const Json& cases() {
  static const Json all = data("output_cases.json");
  return all;
}

struct Printed {
  std::string out, err;
  bool refused = false;
  std::string why;
  bool operator==(const Printed&) const = default;
};

// The times of the cases were recorded in this zone.
void use_utc() {
  setenv("TZ", "UTC", 1);
  tzset();
}

Printed run(const Json& one) {
  use_utc();
  const Json& answer = cases()["answers"][one["answer"].text()];
  Options options;
  options.format = one["format"].text();
  options.filter = one["filter"].text();
  options.sort_by = one["sort"].text();
  options.flatten = one["flatten"].text();
  options.limit = one["limit"].integer();
  options.flags = one["flags"];
  options.screen_reader = one["reader"].boolean();
  StringStreams io;
  io.utf8 = true;
  io.width = static_cast<int>(one["width"].integer(80));
  io.out_colour = one["colour"].boolean();
  try {
    Pipeline pipeline(io, options, cases()["tables"][one["table"].text()].text(), !answer.is_array());
    if (!answer.is_array()) pipeline.push(answer);
    for (const Json& resource : answer.items()) pipeline.push(resource);
    pipeline.finish();
  } catch (const Error& error) {
    return {io.out_text, io.err_text, true, error.what()};
  }
  return {io.out_text, io.err_text, false, ""};
}

// What was asked, for a failure's message and to count what is different.
std::string asked(const Json& one) {
  std::string out;
  for (const char* name : {"format", "filter", "sort", "flatten"}) {
    if (!one[name].empty()) out += std::string(out.empty() ? "" : " ") + "--" + name + "=" + one[name].text();
  }
  return out;
}

TEST(Output, IsByteForByteGclouds) {
  std::set<std::string> expressions, answers;
  for (const Json& one : cases()["cases"].items()) {
    SCOPED_TRACE(one["answer"].text() + " " + one["table"].text() + " " + asked(one));
    const Printed printed = run(one);
    EXPECT_EQ(printed.refused, one["out"].is_null()) << printed.why;
    if (!one["out"].is_null()) {
      EXPECT_EQ(printed.out, one["out"].text());
    }
    expressions.insert(asked(one));
    answers.insert(one["answer"].text());
  }
  EXPECT_GE(expressions.size(), 650u);
  EXPECT_GE(answers.size(), 5u);
}

TEST(Output, DiffersFromGcloudsWhereItSays) {
  const Json differences = data("output_differences.json");
  EXPECT_GT(differences["cases"].size(), 30u);
  for (const Json& one : differences["cases"].items()) {
    SCOPED_TRACE(one["answer"].text() + " " + asked(one));
    EXPECT_FALSE(one["why"].empty());
    EXPECT_FALSE(one["out"] == one["gcloud"]) << "no difference";
    const Printed printed = run(one);
    EXPECT_EQ(printed.refused, one["out"].is_null()) << printed.why;
    if (!one["out"].is_null()) {
      EXPECT_EQ(printed.out, one["out"].text());
    }
    EXPECT_EQ(printed.why, one["error"].text());
  }
}

std::string why_refused(std::string format) {
  return run(Json{{"answer", "odd"}, {"format", Json(std::move(format))}}).why;
}

TEST(Output, WrongArgumentsOfTransformsAreUsageErrors) {
  EXPECT_THAT(why_refused("value(name.basename(a,b))"), HasSubstr("basename() takes at most undefined"));
  EXPECT_THAT(why_refused("value(name.segment(index=x))"), HasSubstr("segment(): index must be a number, not x"));
  EXPECT_THAT(why_refused("value(name.size(unit=K))"), HasSubstr("size() takes no argument named unit; it has: zero,"));
  EXPECT_THAT(why_refused("value(name.sub(a))"), HasSubstr("sub() needs replacement"));
  EXPECT_THAT(why_refused("value(name.len(1))"), HasSubstr("len() takes no arguments"));
  EXPECT_THAT(why_refused("value(name.sub('a','\\\\2'))"), HasSubstr("invalid group reference 2"));
  EXPECT_THAT(why_refused("value(name.synthesize(x))"), HasSubstr("(...) args expected"));
  EXPECT_THAT(why_refused("table[pad=wide](size)"), HasSubstr("[pad] must be a number, not wide."));
  EXPECT_THAT(why_refused("multi(name)"), HasSubstr("name requires format attribute."));
  EXPECT_THAT(why_refused("object"), HasSubstr("The format object is not supported."));
}

TEST(Output, TextsThatAskForWhatIsNotThereFailInsteadOfCrashing) {
  for (const char* format : {"value(size.format('{1}'))", "value(size.format('{'))", "value(size.format('{0!x}'))",
                             "value(name.format('{0:d}'))"}) {
    const Printed printed = run(Json{{"answer", "odd"}, {"format", format}});
    EXPECT_TRUE(printed.refused) << format;
    EXPECT_THAT(printed.why, HasSubstr("format(): "));
  }
}

TEST(Output, FilterKeysThatNothingHasAreNamed) {
  EXPECT_EQ(run(Json{{"answer", "nodes"}, {"filter", "stat=READY OR nam:x"}, {"format", "value(name)"}}).err,
            "WARNING: The following filter keys were not present in any resource : nam, stat\n");
  EXPECT_EQ(
      run(Json{{"answer", "nodes"}, {"filter", "state=READY OR nam:x"}, {"format", "value(name)"}, {"limit", 1}}).err,
      "");
}

TEST(Output, DefaultFormatIsTheProperties) {
  StringStreams io;
  Options options;
  options.format = "default";
  options.default_name = "json";
  Pipeline pipeline(io, options, "table(a)", true);
  pipeline.push(Json{{"a", 1}});
  pipeline.finish();
  EXPECT_EQ(io.out_text, "{\n  \"a\": 1\n}\n");
}

TEST(Output, DisabledFormatsAskForNothingMore) {
  StringStreams io;
  for (const char* format : {"disable", "json[disable]"}) {
    Options options;
    options.format = format;
    Pipeline pipeline(io, options, "table(a)");
    EXPECT_TRUE(pipeline.full());
    EXPECT_FALSE(pipeline.prints());
    pipeline.finish();
  }
  EXPECT_EQ(io.out_text + io.err_text, "");
}

struct CountingStreams : StringStreams {
  void flush() override { written = out_text.size(); }
  std::size_t written = 0;  ///< bytes that have left the program
};

TEST(Output, TheFirstRowIsOutBeforeTheSecondIsIn) {
  for (const char* format : {"json", "yaml", "value(a)", "csv(a)", "text", "list", "config"}) {
    CountingStreams io;
    Options options;
    options.format = format;
    Pipeline pipeline(io, options, "table(a)");
    pipeline.push(Json{{"a", 1}});
    EXPECT_GT(io.written, 0u) << format;
    EXPECT_EQ(io.written, io.out_text.size()) << format;
  }
}

// A zone of the process's own must be as it was after another one was used for a column.
TEST(Output, NamedZonesLeaveTheProcesssAlone) {
  setenv("TZ", "Asia/Seoul", 1);
  tzset();
  StringStreams io;
  Options options;
  options.format =
      "value(t.date('%H %Z',tz=America/New_York),t.date('%H %Z',tz=LOCAL),n.date('%H'),t.date('%H%Ez',tz=UTC+5:30))";
  Pipeline pipeline(io, options, "");
  pipeline.push(Json{{"t", "2024-01-15T12:00:00Z"}, {"n", 1705320000}});
  EXPECT_EQ(io.out_text, "07 EST\t21 KST\t21\t17+05:30\n");
  EXPECT_STREQ(std::getenv("TZ"), "Asia/Seoul");
  use_utc();
}

}  // namespace
}  // namespace tpuctl::cli::output

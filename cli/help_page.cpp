// SPDX-License-Identifier: Apache-2.0
#include "cli/help_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/streams.hpp"

namespace tpuctl::cli {

namespace {

std::string blanks(int count) { return std::string(static_cast<std::size_t>(std::max(0, count)), ' '); }

// Where the second column of a line of a small table begins; 0 when it has none.
int second_column(std::string_view line) {
  const auto first = line.find_first_not_of(' ');
  const auto gap = first == std::string_view::npos ? first : line.find("  ", first);
  const auto second = gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
  return second == std::string_view::npos ? 0 : static_cast<int>(second);
}

// `words` in lines, the first after what `current` holds, the others after `indent` blanks. With a `mark` all but the last end
// with it, and a word that is longer than the page stays whole; without one it is cut.
std::string flow(std::string current, const std::vector<std::string>& words, int width, int indent, std::string_view mark) {
  width -= display_width(mark);
  std::string out;
  bool empty = true;  // nothing but indentation in `current`
  auto next_line = [&] {
    out.append(current).append(mark).append("\n");
    current = blanks(indent);
    empty = true;
  };
  for (std::string word : words) {
    if (!empty && display_width(current) + 1 + display_width(word) > width) next_line();
    while (mark.empty() && display_width(current) + display_width(word) > width) {
      const std::string head = elide(word, width - display_width(current), "");
      if (head.empty()) break;
      word.erase(0, head.size());
      current += head;
      next_line();
    }
    current += empty ? word : " " + word;
    empty = false;
  }
  return out + current + "\n";
}

// The words of a command line for the shell: what is quoted stays in one piece.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> out(1);
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && c == ' ') {
      out.emplace_back();
      continue;
    }
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    }
    out.back() += c;
  }
  return out;
}

}  // namespace

std::string hanging(std::string_view line, int width, int indent) {
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  return flow(std::string(line.substr(0, start)), text::split(line.substr(start), ' '), width, indent, {});
}

std::string wrap(std::string_view text, int width, int indent) {
  std::string out;
  std::string paragraph;
  auto end_paragraph = [&] {
    if (!paragraph.empty()) out += hanging(blanks(indent) + paragraph, width, indent);
    paragraph.clear();
  };
  for (const std::string& line : text::split(text, '\n')) {
    if (!line.empty() && !line.starts_with("  ")) {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      continue;
    }
    end_paragraph();
    const std::string kept = blanks(indent) + line;
    if (line.empty()) {
      out += "\n";
    } else if (display_width(kept) <= width) {
      out += kept + "\n";
    } else {
      const int column = second_column(kept);
      out += hanging(kept, width, column > 0 && column < width / 2 ? column : indent + 4);
    }
  }
  end_paragraph();
  return out.empty() ? "\n" : out;
}

PageWriter::PageWriter(Page page) : page_(page) { page_.width = std::clamp(page_.width, 40, 100); }

void PageWriter::heading(std::string_view text) {
  if (!out_.empty()) out_ += "\n";
  out_ += page_.colour ? fmt::format("\x1b[1m{}\x1b[0m\n", text) : fmt::format("{}\n", text);
}

void PageWriter::text(std::string_view text, int indent) { out_ += wrap(text, page_.width, indent); }

void PageWriter::usage(std::string_view line) { out_ += hanging(line, page_.width, 2 * kIndent); }

void PageWriter::example(std::string_view line) {
  out_ += flow(blanks(2 * kIndent) + "$ ", shell_words(line), page_.width, 3 * kIndent, " \\");
}

void PageWriter::item(std::string_view term, std::string_view meaning, int column) {
  const std::string left = blanks(kIndent) + std::string(term);
  if (display_width(left) + 2 > column) {
    out_ += hanging(left, page_.width, 2 * kIndent) + wrap(meaning, page_.width, column);
    return;
  }
  const std::string body = wrap(meaning, page_.width, column);
  out_ += left + body.substr(std::min(body.size(), static_cast<std::size_t>(display_width(left))));
}

int PageWriter::column_for(int longest) const { return std::min(kIndent + longest + 2, page_.width * 2 / 5); }

}  // namespace tpuctl::cli

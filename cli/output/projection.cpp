// SPDX-License-Identifier: Apache-2.0
#include "cli/output/projection.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "cli/output/display.hpp"

namespace tpuctl::cli::output {

namespace {

// Null items of lists are the one thing that even a projection of everything changes: they are cut off at the end.
bool has_null_item(const Json& value) {
  const auto& items = value.items();
  const auto& members = value.members();
  return std::any_of(items.begin(), items.end(), [](const Json& one) { return one.is_null() || has_null_item(one); }) ||
         std::any_of(members.begin(), members.end(), [](const Json::Member& one) { return has_null_item(one.value); });
}

bool has_null(const Json& value) {
  const auto& items = value.items();
  const auto& members = value.members();
  return value.is_null() || std::any_of(items.begin(), items.end(), has_null) ||
         std::any_of(members.begin(), members.end(), [](const Json::Member& one) { return has_null(one.value); });
}

/// gcloud's algorithm: tree and resource are walked down together. Null stands for "not wanted".
class Projector {
 public:
  enum class Transforms { level, all, none };

  Projector(int level, Transforms transforms, bool nulls, bool columns, bool decode)
      : level_(level), transforms_(transforms), nulls_(nulls), columns_(columns), decode_(decode) {
    everything_.about = std::make_shared<Attribute>();
    everything_.about->use = Attribute::wanted;
  }

  Json project(const Json& value, const Tree& tree, int use) const {
    if (!value.is_array() && !value.is_object()) return scalar(value, tree, use);
    if (const Chain* chain = enabled(tree)) return chain->apply(value);
    return below(value, tree, use);
  }
  const Tree& everything() const { return everything_; }

  const Chain* enabled(const Tree& tree) const {
    const Chain* chain = tree.about->chain.get();
    if (!chain || transforms_ == Transforms::none) return nullptr;
    if (transforms_ == Transforms::level && !chain->always && !chain->calls.empty() && chain->level != level_)
      return nullptr;
    return chain;
  }

 private:
  Json scalar(const Json& value, const Tree& tree, int use) const {
    Json inner;
    if (decode_ && value.is_string() && decoded(value.text(), inner)) return project(inner, tree, use);
    if (use < Attribute::wanted) return {};
    const Chain* chain = enabled(tree);
    return chain ? chain->apply(value) : value;
  }

  static bool decoded(const std::string& text, Json& out) {
    const bool likely =
        (text.starts_with("{\"") && text.ends_with('}')) || (text.starts_with('[') && text.ends_with(']'));
    return likely && Json::try_parse(text, out);
  }

  Json below(const Json& value, const Tree& tree, int use) const {
    if (use < Attribute::wanted && tree.children.empty()) return value;
    return value.is_object() ? object(value, tree, use) : list(value, tree, use);
  }

  Json object(const Json& value, const Tree& tree, int use) const {
    if (value.size() == 0) return value;
    Json out;
    for (const Json::Member& one : value.members()) {
      const Tree* child = tree.find(Step{Step::name, one.name, 0});
      const int its_use = child ? use | child->about->use : use;
      if (child && its_use < Attribute::on_the_way) continue;
      Json part = child                         ? project(one.value, *child, its_use)
                  : its_use < Attribute::wanted ? Json()
                                                : project(one.value, everything_, its_use);
      if (!part.is_null() || nulls_ || (its_use >= Attribute::wanted && columns_))
        out.member(one.name) = std::move(part);
    }
    return out;
  }

  Json list(const Json& value, const Tree& tree, int use) const {
    const auto size = static_cast<std::int64_t>(value.size());
    if (size == 0) return value;
    if (tree.children.empty() && use < Attribute::wanted) return {};
    const Tree* slice = tree.find(Step{Step::slice, "", 0});
    if (slice && use < Attribute::wanted && slice->about->use == Attribute::unused) slice = nullptr;
    if (!slice && use >= Attribute::wanted) slice = &everything_;
    std::vector<std::pair<std::int64_t, const Tree*>> single;
    for (const auto& [step, child] : tree.children) {
      if (step.what == Step::index && step.number >= -size && step.number < size)
        single.emplace_back(step.number, &child);
    }
    if (!slice && single.empty()) return {};
    // [-1] wins over [0] when they are the same item.
    std::stable_sort(single.begin(), single.end(),
                     [](const auto& a, const auto& b) { return (a.first < 0) < (b.first < 0); });
    std::vector<Json> out(static_cast<std::size_t>(size));
    std::int64_t last = -1;
    auto take = [&](std::int64_t index, const Tree& child, int its_use) {
      const std::int64_t at = index < 0 ? index + size : index;
      const Json& item = value.items()[static_cast<std::size_t>(at)];
      its_use |= child.about->use;
      if (item.is_null() || its_use < Attribute::on_the_way) return;
      Json part = project(item, child, its_use);
      if (part.is_null()) return;
      last = std::max(last, at);
      out[static_cast<std::size_t>(at)] = std::move(part);
    };
    if (slice) {
      for (std::int64_t i = 0; i < size; ++i) {
        const auto one = std::find_if(single.begin(), single.end(), [&](const auto& s) { return s.first == i; });
        take(i, one == single.end() ? *slice : *one->second, use | (one == single.end() ? 0 : slice->about->use));
      }
    } else {
      for (const auto& [index, child] : single) take(index, *child, use);
    }
    if (last < 0) return {};
    std::int64_t length = last + 1;
    for (const auto& [index, child] : single) {
      if (!slice) length = std::max(length, (index < 0 ? index + size : index) + 1);
    }
    out.resize(static_cast<std::size_t>(length));
    return Json(std::move(out));
  }

  int level_;
  Transforms transforms_;
  bool nulls_, columns_, decode_;
  Tree everything_;
};

bool any_enabled(const Projector& projector, const Tree& tree) {
  return projector.enabled(tree) || std::any_of(tree.children.begin(), tree.children.end(),
                                                [&](const Branch& one) { return any_enabled(projector, one.tree); });
}

Projector::Transforms chosen(const Projection& projection, Projector::Transforms otherwise) {
  if (projection.has("transforms")) return Projector::Transforms::all;
  return projection.has("no-transforms") ? Projector::Transforms::none : otherwise;
}

}  // namespace

Json without_nulls(const Json& value) {
  if (!has_null(value)) return value;
  const Projector projector(0, Projector::Transforms::none, false, false, false);
  return projector.project(value, projector.everything(), Attribute::wanted);
}

const Tree* Tree::find(const Step& step) const {
  for (const auto& [its_step, child] : children) {
    if (its_step == step) return &child;
  }
  return nullptr;
}

bool Projection::has(std::string_view attribute) const {
  return std::any_of(attributes.begin(), attributes.end(), [&](const auto& one) { return one.first == attribute; });
}

std::string Projection::get(std::string_view attribute, std::string_view fallback) const {
  for (const auto& [its_name, value] : attributes) {
    if (its_name == attribute) return value;
  }
  return std::string(fallback);
}

std::int64_t Projection::number(std::string_view attribute, std::int64_t fallback) const {
  if (!has(attribute)) return fallback;
  const auto value = to_integer(get(attribute));
  constexpr std::int64_t kMost = 100000;
  if (!value || *value < 0 || *value > kMost) {
    throw Error(tpuctl::Kind::usage,
                "argument --format: [" + std::string(attribute) + "] must be a number, not " + get(attribute) + ".");
  }
  return *value;
}

Aliases Projection::aliases() const {
  Aliases out;
  for (const Named& one : names) out.emplace_back(one.name, one.key);
  return out;
}

const Named* Projection::named(std::string_view name) const {
  const auto found = std::find_if(names.rbegin(), names.rend(), [&](const Named& one) { return one.name == name; });
  return found == names.rend() ? nullptr : &*found;
}

std::vector<std::string> Projection::labels() const {
  std::vector<std::string> out;
  for (const Column& column : columns) out.push_back(column.about->label.value_or(""));
  const bool any = std::any_of(out.begin(), out.end(), [](const std::string& one) { return !one.empty(); });
  return any ? out : std::vector<std::string>{};
}

std::vector<std::pair<std::size_t, bool>> Projection::order() const {
  struct Rank {
    int rank;
    std::size_t column;
    bool reverse;
  };
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Attribute& about = *columns[i].about;
    const bool reverse = about.reverse.value_or(false);
    const int rank = about.order.value_or(0);
    if (rank != 0 || reverse) ranks.push_back({rank != 0 ? rank : std::numeric_limits<int>::max(), i, reverse});
  }
  std::stable_sort(ranks.begin(), ranks.end(), [](const Rank& a, const Rank& b) { return a.rank < b.rank; });
  std::vector<std::pair<std::size_t, bool>> out;
  out.reserve(ranks.size());
  for (const Rank& one : ranks) out.emplace_back(one.column, one.reverse);
  return out;
}

std::vector<Json> Projection::row(const Json& resource, bool plain, std::vector<std::string>* colours) const {
  const auto transforms = chosen(*this, plain ? Projector::Transforms::none : Projector::Transforms::all);
  Json changed;
  const Json* from = &resource;
  if (has("json-decode") || has_null_item(resource)) {
    const Projector projector(level, transforms, false, true, has("json-decode"));
    changed = projector.project(resource, projector.everything(), Attribute::wanted);
    from = &changed;
  }
  std::vector<Json> out;
  out.reserve(columns.size());
  if (colours) colours->assign(columns.size(), "");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Json made;
    const Json& found = output::get(*from, columns[i].key, made);
    const Chain* chain = columns[i].about->chain.get();
    if (chain && transforms != Projector::Transforms::none) {
      out.push_back(chain->apply(found, colours ? &(*colours)[i] : nullptr, &resource));
    } else if (&found == &made) {
      out.push_back(std::move(made));
    } else {
      out.push_back(found);
    }
  }
  return out;
}

const Json& Projection::shape(const Json& resource, bool nulls, Json& made) const {
  const bool all = columns.empty();
  const Projector projector(level, chosen(*this, Projector::Transforms::level), nulls && all, !all, has("json-decode"));
  const bool changes = !all || has("json-decode") || any_enabled(projector, tree) ||
                       (nulls ? has_null_item(resource) : has_null(resource));
  if (!changes) return resource;
  made = projector.project(resource, tree, all ? Attribute::wanted : Attribute::unused);
  return made;
}

}  // namespace tpuctl::cli::output

// SPDX-License-Identifier: Apache-2.0
#include "cli/output/projection_builder.hpp"

#include <algorithm>

namespace tpuctl::cli::output {

namespace {

Tree copy_of(const Tree& tree) {
  Tree out{std::make_shared<Attribute>(*tree.about), {}};
  if (out.about->chain) out.about->chain = std::make_shared<Chain>(*out.about->chain);
  for (const auto& [step, child] : tree.children) out.children.push_back({step, copy_of(child)});
  return out;
}

void forget(Tree& tree) {
  tree.about->use = Attribute::unused;
  for (auto& [step, child] : tree.children) forget(child);
}

Tree& child_of(Tree& tree, const Step& step, const AttributePtr& about) {
  for (auto& [its_step, one] : tree.children) {
    if (its_step == step) return one;
  }
  tree.children.push_back({step, Tree{about, {}}});
  return tree.children.back().tree;
}

}  // namespace

ProjectionBuilder::ProjectionBuilder() { made.tree.about = std::make_shared<Attribute>(); }

ProjectionBuilder::ProjectionBuilder(Projection start) : made(std::move(start)) {
  made.tree = copy_of(made.tree);
  become_default();
}

void ProjectionBuilder::become_default() {
  forget(made.tree);
  made.columns.clear();
  ++made.level;
}

void ProjectionBuilder::end_attributes() {
  if (new_orders_ != 0) make_room(made.tree);
  new_orders_ = 0;
}

void ProjectionBuilder::make_room(Tree& tree) {
  for (auto& [step, child] : tree.children) {
    Attribute& about = *child.about;
    if (about.order.value_or(0) != 0) {
      if (!about.keeps_order) *about.order += new_orders_;
      about.keeps_order = false;
    }
    make_room(child);
  }
}

void ProjectionBuilder::add(Key key, const AttributePtr& given, bool only_attributes) {
  Tree* at = &made.tree;
  for (std::size_t i = 0; i + 1 < key.size(); ++i) {
    Tree& next = child_of(*at, key[i], std::make_shared<Attribute>());
    if (next.about->use != Attribute::wanted) next.about->use = Attribute::on_the_way;
    at = &next;
  }
  const Step last = key.empty() ? Step{Step::name, "", 0} : key.back();
  const Tree* known = at->find(last);
  AttributePtr about = known ? known->about : nullptr;
  if (known) {
    const bool repeated =
        std::any_of(made.columns.begin(), made.columns.end(), [&](const Column& one) { return one.key == key; });
    if (!only_attributes && repeated) about = std::make_shared<Attribute>(*about);
    if (!only_attributes || about->order.value_or(0) == 0) about->hidden = false;
  } else if (const Tree* slice = at->find(Step{Step::slice, "", 0}); slice && last.what == Step::index) {
    Tree copy = copy_of(*slice);
    about = copy.about;
    at->children.push_back({last, std::move(copy)});
  } else {
    about = given;
    if (only_attributes && about->order.value_or(0) != 0) about->hidden = true;
    if (!key.empty() || about->chain) child_of(*at, last, about);
  }
  inherit(*about, *given, key, only_attributes);
  made.names.push_back({*about->label, key, about});
  if (!only_attributes || about->hidden) {
    about->use = Attribute::wanted;
    made.columns.push_back({std::move(key), about});
  } else if (!known) {
    about->use = Attribute::unused;
  }
}

void ProjectionBuilder::inherit(Attribute& about, const Attribute& given, const Key& key, bool only_attributes) {
  if (given.order) {
    about.order = given.order;
    if (only_attributes) {
      ++new_orders_;
      about.keeps_order = true;
    }
  }
  if (given.label) about.label = given.label;
  if (!about.label) about.label = headings.make(key);
  if (given.align != Align::left) about.align = given.align;
  if (given.optional) about.optional = given.optional;
  if (given.reverse) about.reverse = given.reverse;
  if (given.chain) about.chain = given.chain;
  if (!given.subformat.empty()) about.subformat = given.subformat;
  if (given.width) about.width = given.width;
  if (given.wrap) about.wrap = given.wrap;
}

}  // namespace tpuctl::cli::output

// SPDX-License-Identifier: Apache-2.0
// What a copy is to be stored with besides its bytes, as the flags of `storage cp` and `mv` say.
#pragma once

#include "api/storage.hpp"
#include "cli/args.hpp"
#include "cli/command.hpp"

namespace tpuctl::commands {

inline constexpr cli::Flag kKeepingFlags[] = {
    {.name = "content-type", .help = "The type of the content; default: what the name suggests.", .value = "TYPE", .field = "/contentType"},
    {.name = "content-encoding", .help = "How the content is encoded, as gzip.", .value = "ENCODING", .field = "/contentEncoding"},
    {.name = "content-language", .help = "The language of the content.", .value = "LANGUAGE", .field = "/contentLanguage"},
    {.name = "content-disposition", .help = "How a browser shows the content.", .value = "DISPOSITION", .field = "/contentDisposition"},
    {.name = "cache-control", .help = "How long caches may keep the content.", .value = "RULE", .field = "/cacheControl"},
    {.name = "storage-class", .help = "The storage class, as NEARLINE; default: the bucket's.", .value = "CLASS", .field = "/storageClass", .letter = 's'},
    {.name = "custom-metadata", .help = "Metadata of your own, instead of all that the source has.", .kind = cli::Kind::map, .value = "KEY=VALUE,..."},
    {.name = "update-custom-metadata", .help = "Metadata of your own, besides what the source has.", .kind = cli::Kind::map, .value = "KEY=VALUE,..."},
    {.name = "remove-custom-metadata", .help = "Keys of the source's metadata that the copy is to be without.", .kind = cli::Kind::list, .value = "KEY,..."},
    {.name = "clear-custom-metadata", .help = "The copy has no metadata of your own.", .kind = cli::Kind::toggle},
    {.name = "predefined-acl", .help = "A predefined access control list for the copy, as projectPrivate.", .value = "ACL", .letter = 'a'},
    {.name = "canned-acl", .help = "As --predefined-acl.", .value = "ACL", .hidden = true},
    {.name = "if-generation-match", .help = "Only when the destination has this generation; 0: only when it is not there.", .value = "GENERATION"},
    {.name = "if-metageneration-match", .help = "Only when the destination has this metageneration.", .value = "METAGENERATION"}};

inline constexpr cli::Rule kKeepingRules[] = {
    {.alternatives = {"custom-metadata", "clear-custom-metadata", ": update-custom-metadata remove-custom-metadata"}},
    {.alternatives = {"no-clobber", "if-generation-match"}}};

/// What the flags ask for, of a copy of `source` (the resource of an object; null for a file). Without any of the flags the
/// fields are empty: the service then keeps those of a source that is an object. Throws Error{usage} for a generation that
/// is no number.
api::Storage::Keeping keeping_of(const cli::Args& args, const Json& source);
/// Any flag is given that changes fields, so that a source's own must be known.
bool changes_fields(const cli::Args& args);

}  // namespace tpuctl::commands

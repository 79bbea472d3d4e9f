#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Troubles that people reported when they created TPUs with other tools."""
import json

from fake_api import Answer, Case, error, main, node, operation

READY = Answer(node("n1"))


class Create(Case):
    def done(self):
        self.api.on("POST", "/nodes", operation(done=True))
        self.api.on("GET", "/nodes/n1", READY)

    def test_a_stockout_at_the_end_of_the_operation(self):
        self.api.on("POST", "/nodes", operation())
        self.api.on("GET", "/operations/op1", operation(), operation(),
                    operation(done=True, failure={"code": 8, "message": "There is no more capacity in the zone \"z1\" [EID: 0xabc]"}))
        run = self.create()
        self.expect(run, 8, "z1.*0xabc", "capacity", "--spot", "queued-resources create")
        self.assertEqual(run.err.count("0xabc"), 1)
        self.assertEqual(run.out, "")
        self.assertEqual(len(self.api.sent("POST")), 1)
        self.assertEqual(len([one for one in self.api.log if "operations" in one.path]), 3)

    def test_a_quota_of_zero_is_no_rate_limit(self):
        self.api.on("POST", "/nodes", error(429, "RESOURCE_EXHAUSTED", "quota limit 'TPUX' exceeded. Limit: 0 in region r1"))
        self.expect(self.create(), 9, "TPUX", "Limit: 0 in region r1", "zone and of the region")
        self.assertEqual(len(self.api.sent("POST")), 1)

    def test_multislice_on_a_generation_that_has_none(self):
        self.api.on("POST", "/queuedResources", error(400, "INVALID_ARGUMENT", "The operation could not be completed. [EID: 0x9]"))
        run = self.run_program("queued-resources", "create", "q", "--accelerator-type=v2-8", "--node-count=2", "--node-prefix=s",
                               "--runtime-version=v2-alpha")
        self.assertNotEqual(run.code, 0)
        self.expect(run, run.code, "[Mm]ultislice", "v2", "0x9")
        self.assertEqual(len(self.api.sent("POST")), 1)

    def test_the_size_as_sent_beside_the_servers_words(self):
        self.api.on("POST", "/nodes", error(400, "INVALID_ARGUMENT", "Accelerator type v4-128 was not found in the zone z2"))
        run = self.run_program("tpu-vm", "create", "n1", "--version=v", "--accelerator-type=v4-16", "--zone=z2")
        self.assertEqual(self.api.log[0].body["acceleratorType"], "v4-16")
        self.expect(run, 1, "v4-128", "v4-16", "tpuctl accelerator-types list --zone=z2")

    def test_names_are_checked_before_anything_is_sent(self):
        for name, words in {"my_tpu": "my-tpu", "MyTpu": "mytpu", "tp\u00fc": "it holds '\u00fc'", "1tpu": "letter", "tpu-": "dash", "a" * 64: "63", "": "empty"}.items():
            with self.subTest(name=name):
                self.expect(self.create(name=name), 2, words)
        self.assertEqual(self.api.log, [])

    def test_names_that_are_fine_go_out_as_they_are(self):
        for name in ("a", "a" * 63):
            self.api.on("POST", "/nodes", operation(done=True))
            self.api.on("GET", "/nodes/" + name, READY)
            self.expect(self.create(name=name), 0)
            self.assertEqual([one.query["nodeId"] for one in self.api.sent("POST")][-1], name)

    def test_metadata_with_commas_and_equals_signs(self):
        self.done()
        self.expect(self.create("--metadata=k1=a=b=c"), 0)
        self.expect(self.create("--metadata=^;^k1=a,b:c;k2=d=e"), 0)
        first, second = (one.body["metadata"] for one in self.api.sent("POST"))
        self.assertEqual(first, {"k1": "a=b=c"})
        self.assertEqual(second, {"k1": "a,b:c", "k2": "d=e"})
        count = len(self.api.log)
        self.expect(self.create("--metadata=k1=a,b"), 2, r"\[b\]", r"\^|--metadata-from-file")
        self.assertEqual(len(self.api.log), count)

    def test_a_script_with_windows_line_ends(self):
        self.done()
        path = self.file("startup.sh", b"#!/bin/bash\r\necho hi\r\n")
        for more in ((), ("--quiet",)):
            run = self.create("--metadata-from-file=startup-script=" + path, *more)
            self.expect(run, 0)
            self.assertEqual(len([line for line in run.err.splitlines() if path in line and "CR" in line]), 1, run)
            self.assertEqual(self.api.sent("POST")[-1].body["metadata"]["startup-script"], "#!/bin/bash\r\necho hi\r\n")
        run = self.create("--metadata-from-file=startup-script=" + self.file("fine.sh", "#!/bin/bash\necho hi\n"))
        self.expect(run, 0, absent=("CR",))

    def test_limits_of_metadata_are_bytes(self):
        self.done()
        self.expect(self.create("--metadata-from-file=k=" + self.file("fits", "x" * 262144)), 0)
        sent = len(self.api.log)
        self.expect(self.create("--metadata-from-file=k=" + self.file("big", "x" * 262145)), 2, "262145", "262144")
        self.expect(self.create("--metadata-from-file=k=" + self.file("euro", "\u20ac" * 90000)), 2, "270000")
        three = ",".join(f"k{i}=" + self.file(f"f{i}", "x" * 204800) for i in range(3))
        self.expect(self.create("--metadata-from-file=" + three), 2, "524288|512")
        self.assertEqual(len(self.api.log), sent)

    def test_a_conflict_with_a_node_that_is_not_there(self):
        self.api.on("POST", "/nodes", error(409, "ALREADY_EXISTS", "exists"), operation(done=True))
        self.api.on("GET", "/nodes/n1", error(404, "NOT_FOUND", "no"), READY)
        self.expect(self.create(), 0)
        self.assertEqual(len(self.api.sent("POST")), 2)

    def test_a_conflict_with_a_node_that_is_there(self):
        self.api.on("POST", "/nodes", error(409, "ALREADY_EXISTS", "exists"))
        self.api.on("GET", "/nodes/n1", READY)
        self.expect(self.create(), 5, "READY")
        self.assertEqual(len(self.api.sent("POST")), 1)

    def test_a_hiccup_while_waiting(self):
        self.api.on("POST", "/nodes", operation())
        self.api.on("GET", "/operations/op1", error(503, "UNAVAILABLE", "busy"), Answer(drop=True), error(429, "RESOURCE_EXHAUSTED", "slow"),
                    error(500, "INTERNAL", "oops"), operation(done=True))
        self.api.on("GET", "/nodes/n1", READY)
        self.expect(self.create(), 0)
        self.assertEqual(len(self.api.sent("POST")), 1)

    def test_a_wait_that_is_refused_names_the_operation(self):
        self.api.on("POST", "/nodes", operation())
        self.api.on("GET", "/operations/op1", error(403, "PERMISSION_DENIED", "no"))
        self.expect(self.create(), 4, "tpuctl operations (describe|wait) projects/p/locations/z1/operations/op1")

    def test_a_time_limit_deletes_nothing(self):
        self.api.on("POST", "/nodes", operation())
        self.api.on("GET", "/operations/op1", operation())
        self.api.on("GET", "/nodes/n1", Answer(node("n1", state="CREATING")))
        self.expect(self.create("--timeout=3s"), 6, "operations/op1")
        self.assertEqual(self.api.sent("DELETE"), [])

    def test_a_node_that_is_ready_is_made_though_its_operation_lags(self):
        self.api.on("POST", "/nodes", operation())
        self.api.on("GET", "/operations/op1", operation())
        self.api.on("GET", "/nodes/n1", READY)
        self.expect(self.create("--timeout=3s"), 0, "WARNING.*READY")

    def test_a_long_link_stays_whole(self):
        link = "https://example.com/" + "a" * 160
        self.api.on("POST", "/nodes", error(400, "FAILED_PRECONDITION", "TPU Nodes are retired. See " + link))
        self.env["COLUMNS"] = "40"
        self.expect(self.create(), 1, link)
        self.assertEqual(len(self.api.sent("POST")), 1)

    def test_empty_words_of_scripts(self):
        self.expect(self.run_program("tpu-vm", "create", "n1", "", "--version=v", "--accelerator-type=v4-8"), 2, "empty")
        self.expect(self.create("--project="), 2, "--project")
        self.assertEqual(self.api.log, [])
        self.done()
        self.expect(self.create("--labels="), 0)
        self.assertIn(self.api.sent("POST")[0].body.get("labels", {}), ({},))

    def test_where_the_project_comes_from(self):
        self.api.on("GET", "/nodes", Answer({}))
        del self.env["CLOUDSDK_CORE_PROJECT"]
        self.file("gcloud/active_config", "work")
        self.file("gcloud/configurations/config_work", "[core]\nproject = p-work\n")
        self.file("gcloud/configurations/config_default", "[core]\nproject = p-def\n")
        self.expect(self.run_program("tpu-vm", "list"), 0)
        self.env["CLOUDSDK_CORE_PROJECT"] = "p-env"
        self.expect(self.run_program("tpu-vm", "list"), 0)
        self.expect(self.run_program("tpu-vm", "list", "--project=p-flag"), 0)
        del self.env["CLOUDSDK_CORE_PROJECT"]
        self.file("gcloud/active_config", "")
        self.expect(self.run_program("tpu-vm", "list"), 0)
        self.assertEqual([one.path.split("/")[3] for one in self.api.log], ["p-work", "p-env", "p-flag", "p-def"])
        self.file("gcloud/configurations/config_default", "")
        self.expect(self.run_program("tpu-vm", "list"), 1, "--project", "CLOUDSDK_CORE_PROJECT", "tpuctl config set project")
        self.assertEqual(len(self.api.log), 4)

    def test_details_of_an_error_are_kept(self):
        details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "R1", "metadata": {"zonesAvailable": "z2,z3"}},
                   {"@type": "type.googleapis.com/google.rpc.Help", "links": [{"url": "https://example.com/u"}]}, {"@type": "x/Unknown", "a": 1}]
        self.api.on("POST", "/nodes", error(403, "PERMISSION_DENIED", "no", details))
        self.expect(self.create(), 4, "R1", "z2,z3", "https://example.com/u")
        told = json.loads(self.create("--format=json").err.splitlines()[-1])
        self.assertEqual(told["error"]["details"], details)


class Lists(Case):
    KINDS = {"tpu-vm": "nodes", "queued-resources": "queuedResources", "accelerator-types": "acceleratorTypes", "versions": "runtimeVersions",
             "operations": "operations", "locations": "locations"}

    def test_all_pages_of_every_kind(self):
        for group, collection in self.KINDS.items():
            with self.subTest(group=group):
                rows = [{"name": f"{ZONE_OF[collection]}/{collection}/{i}", "apiVersion": "V2"} for i in range(3)]
                self.api.on("GET", "/" + collection, Answer({collection: rows[:2], "nextPageToken": "a+b/c=&d?"}), Answer({collection: [], "nextPageToken": "t2"}),
                            Answer({collection: rows[2:]}))
                before = len(self.api.log)
                run = self.run_program(group, "list", "--format=value(name)", "--page-size=2")
                self.expect(run, 0)
                self.assertEqual(len(run.out.splitlines()), 3)
                seen = self.api.log[before:]
                self.assertEqual([one.query.get("pageToken") for one in seen], [None, "a+b/c=&d?", "t2"])
                self.assertEqual([one.query["pageSize"] for one in seen], ["2"] * 3)

    def test_a_token_that_repeats_ends_the_list_with_a_failure(self):
        self.api.on("GET", "/nodes", Answer({"nodes": [node("n1")], "nextPageToken": "same"}))
        self.expect(self.run_program("tpu-vm", "list"), 1, "page")
        self.assertLess(len(self.api.log), 4)

    def test_a_limit_ends_the_paging(self):
        self.api.on("GET", "/nodes", Answer({"nodes": [node("n1"), node("n2"), node("n3")], "nextPageToken": "t"}))
        run = self.run_program("tpu-vm", "list", "--limit=2", "--format=value(name)")
        self.expect(run, 0)
        self.assertEqual(len(run.out.splitlines()), 2)
        self.assertEqual(len(self.api.log), 1)

    def test_a_page_without_rows(self):
        self.api.on("GET", "/nodes", Answer({"nextPageToken": "t"}), Answer({"nodes": [node("n1")]}))
        self.assertEqual(len(self.run_program("tpu-vm", "list", "--format=value(name)").out.splitlines()), 1)

    def test_without_a_zone_the_remedy_is_told(self):
        del self.env["CLOUDSDK_COMPUTE_ZONE"]
        self.expect(self.run_program("tpu-vm", "describe", "n1"), 1, "--zone", "CLOUDSDK_COMPUTE_ZONE", "tpuctl config set compute/zone")
        self.assertEqual(self.api.log, [])


ZONE_OF = {name: "projects/p/locations/z1" for name in Lists.KINDS.values()} | {"locations": "projects/p"}

if __name__ == "__main__":
    main()

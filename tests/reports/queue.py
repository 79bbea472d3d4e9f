#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Troubles that people reported with requests for capacity: dead ones that stay, waits without end, names mixed up."""
import json
import signal
import time

from fake_api import Answer, Case, Run, error, main, node, operation, queued

GONE = error(404, "NOT_FOUND", "Resource was not found")


class Delete(Case):
    def test_a_list_shows_every_state(self):
        states = ["ACTIVE", "WAITING_FOR_RESOURCES", "SUSPENDED", "FAILED", "BRAND_NEW"]
        self.api.on("GET", "/queuedResources", Answer({"queuedResources": [queued(f"q{i}", state) for i, state in enumerate(states)]}))
        run = self.run_program("queued-resources", "list")
        self.expect(run, 0)
        for i, state in enumerate(states):
            self.assertRegex(run.out, f"(?m)^q{i} .* {state}$")
        told = json.loads(self.run_program("queued-resources", "list", "--format=json").out)
        self.assertEqual([one["state"]["state"] for one in told], states)

    def dead(self, *answers):
        states = ["ACTIVE", "WAITING_FOR_RESOURCES", "SUSPENDED", "FAILED", "SUSPENDED"]
        self.api.on("GET", "/queuedResources", Answer({"queuedResources": [queued(f"q{i}", state) for i, state in enumerate(states, 1)]}))
        for name, answer in zip(("q3", "q4", "q5"), answers):
            self.api.on("DELETE", "/queuedResources/" + name, answer)

    def deleted(self):
        return [(one.path.split("/")[-1], one.query.get("force")) for one in self.api.sent("DELETE")]

    def test_all_dead_requests_go_and_a_failure_stops_none(self):
        self.dead(GONE, operation(done=True), error(403, "PERMISSION_DENIED", "not yours"))
        run = self.run_program("queued-resources", "prune", "--quiet")
        self.expect(run, 4, r"\[q3\].*gone", r"\[q4\]", r"\[q5\].*not yours")
        self.assertEqual(self.deleted(), [("q3", "true"), ("q4", "true"), ("q5", "true")])

    def test_the_first_failure_stops_none_either(self):
        self.dead(error(403, "PERMISSION_DENIED", "not yours"), operation(name="op4"), operation(name="op5"))
        self.api.on("GET", "/operations/op4", operation(done=True, failure={"code": 13, "message": "it broke"}, name="op4"))
        self.api.on("GET", "/operations/op5", operation(done=True, name="op5"))
        run = self.run_program("queued-resources", "prune", "--quiet")
        self.expect(run, 4, r"\[q3\].*not yours", r"\[q4\].*it broke", "2 of 3")
        self.assertEqual(len(self.deleted()), 3)
        self.assertEqual({one.path.split("/")[-1] for one in self.api.log if "operations" in one.path}, {"op4", "op5"})

    def test_what_is_gone_already_is_no_failure(self):
        self.dead(GONE, GONE, GONE)
        self.expect(self.run_program("queued-resources", "prune", "--quiet"), 0)

    def test_a_row_without_a_name_is_passed_over(self):
        self.api.on("GET", "/queuedResources", Answer({"queuedResources": [{"state": {"state": "FAILED"}}, {"name": 5, "state": {"state": "FAILED"}}]}))
        self.expect(self.run_program("queued-resources", "prune", "--quiet"), 0)
        self.assertEqual(self.deleted(), [])

    def test_zones_that_could_not_be_reached_are_not_pruned_in_silence(self):
        self.api.on("GET", "/queuedResources", Answer({"queuedResources": [], "unreachable": ["projects/p/locations/z9"]}))
        self.expect(self.run_program("queued-resources", "prune", "--quiet"), 1, "z9")

    def test_without_force_the_nodes_are_named(self):
        self.api.on("GET", "/queuedResources/q1", Answer(queued("q1", "ACTIVE")))
        self.api.on("DELETE", "/queuedResources/q1", error(400, "FAILED_PRECONDITION", "the queued resource has nodes"))
        self.expect(self.run_program("queued-resources", "delete", "q1", "--quiet"), 1, "has nodes", "--force")
        self.assertEqual([one.method for one in self.api.log], ["DELETE"])
        run = self.run_in_terminal("queued-resources", "delete", "q1", "--quiet", answer="")
        self.assertEqual(run.code, 1, run)
        self.assertRegex(run.out, r"s-0.*s-1.*--force")

    def test_force_is_on_the_wire(self):
        self.api.on("DELETE", "/queuedResources/q1", operation(done=True))
        self.expect(self.run_program("queued-resources", "delete", "q1", "--force", "--quiet"), 0)
        self.assertEqual(self.deleted(), [("q1", "true")])

    def test_the_question_names_the_nodes(self):
        self.api.on("GET", "/queuedResources/q1", Answer(queued("q1", "ACTIVE")))
        run = self.run_in_terminal("queued-resources", "delete", "q1", "--force", answer="n\n")
        self.assertEqual(run.code, 1, run)
        self.assertRegex(run.out, r"(?s)q1.*s-0.*s-1.*\(Y/n\)\?")
        asked = len(self.api.log)
        self.expect(self.run_program("queued-resources", "delete", "q1", "--force"), 1, "--quiet")
        self.assertEqual(len(self.api.log), asked, "nobody is there to read more")
        self.assertEqual(self.deleted(), [])

    def test_the_question_is_asked_when_the_nodes_may_not_be_seen(self):
        self.api.on("GET", "/queuedResources/q1", error(403, "PERMISSION_DENIED", "no"))
        self.api.on("DELETE", "/queuedResources/q1", operation(done=True))
        run = self.run_in_terminal("queued-resources", "delete", "q1", "--force", answer="y\n")
        self.assertEqual(run.code, 0, run)
        self.assertEqual(self.deleted(), [("q1", "true")])

    def test_nothing_is_asked_about_what_is_not_there(self):
        run = self.run_in_terminal("queued-resources", "delete", "q1", "--force", answer="")
        self.assertEqual(run.code, 3, run)
        self.assertNotIn("(Y/n)", run.out)


class Wait(Case):
    def waits(self, scripts, *more):
        """One wait for each script of answers, all at once: polls come a second apart and farther."""
        children = []
        for name, answers in scripts.items():
            self.api.on("GET", "/queuedResources/" + name, *answers)
            children.append((name, self.start("queued-resources", "wait", name, *more)))
        runs = {}
        for name, child in children:
            out, err = child.communicate(timeout=50)
            runs[name] = Run(child.returncode, out, err)
        return runs

    def states(self, name, *states):
        return [one if isinstance(one, Answer) else Answer(queued(name, one)) for one in states]

    def test_every_end_ends_the_wait(self):
        failed = Answer(queued("q1", "FAILED", failedData={"error": {"code": 8, "message": "no capacity in z1"}}))
        runs = self.waits({
            "q1": self.states("q1", "CREATING", failed),
            "q2": self.states("q2", "WAITING_FOR_RESOURCES", "SUSPENDING", "SUSPENDED"),
            "q3": self.states("q3", "WAITING_FOR_RESOURCES", "DELETING", GONE),
            "q4": self.states("q4", "WAITING_FOR_RESOURCES", GONE),
            "q5": self.states("q5", "WAITING_FOR_RESOURCES", "PROVISIONING", "ACTIVE"),
            "q6": [GONE],
        })
        self.expect(runs["q1"], 6, "FAILED", "no capacity in z1")
        self.expect(runs["q2"], 6, "SUSPEND")
        self.expect(runs["q3"], 6, "DELETING|deleted")
        self.expect(runs["q4"], 6, "deleted", "WAITING_FOR_RESOURCES")
        self.expect(runs["q5"], 0)
        self.expect(runs["q6"], 3, "not found")

    def test_waiting_for_an_end_waits_through_the_states_before_it(self):
        gone = self.waits({"q1": self.states("q1", "ACTIVE", "DELETING", GONE)}, "--for=deleted")["q1"]
        self.expect(gone, 0)
        suspended = self.waits({"q2": self.states("q2", "ACTIVE", "SUSPENDING", "SUSPENDED")}, "--for=SUSPENDED")["q2"]
        self.expect(suspended, 0)

    def test_a_transient_failure_of_a_poll_ends_nothing(self):
        busy = error(503, "UNAVAILABLE", "busy")
        self.expect(self.waits({"q1": [Answer(queued("q1", "PROVISIONING")), busy, Answer(queued("q1", "ACTIVE"))]})["q1"], 0)

    def test_old_and_new_names_of_states_are_waited_through(self):
        runs = self.waits({"q1": self.states("q1", "ACCEPTED", "BRAND_NEW", "ACTIVE"), "q2": self.states("q2", "BRAND_NEW", "BRAND_NEW", "ACTIVE")})
        for run in runs.values():
            self.expect(run, 0)
            self.assertEqual(run.err.count("BRAND_NEW"), 1, run)

    def test_an_interrupted_wait_says_what_remains(self):
        self.api.on("GET", "/queuedResources/q1", Answer(queued("q1", "WAITING_FOR_RESOURCES")))
        run = self.run_program("queued-resources", "wait", "q1", after=1)
        self.expect(run, 130, "tpuctl queued-resources delete .*q1", "tpuctl queued-resources wait .*q1")
        self.assertEqual(self.api.sent("DELETE"), [])
        run = self.run_program("queued-resources", "wait", "q1", after=1, send=signal.SIGTERM)
        self.expect(run, 143, "tpuctl queued-resources delete .*q1")

    def test_an_interrupted_creation_says_how_to_undo_it(self):
        self.api.on("POST", "/queuedResources", operation())
        self.api.on("GET", "/operations/op1", operation())
        run = self.run_program(*CREATE, after=1)
        self.expect(run, 130, "tpuctl queued-resources delete .*q1", "tpuctl operations describe .*op1")
        self.assertEqual(self.api.sent("DELETE"), [])

    def test_two_interrupts_end_at_once(self):
        self.api.on("GET", "/queuedResources/q1", Answer(queued("q1", "WAITING_FOR_RESOURCES")))
        child = self.start("queued-resources", "wait", "q1")
        while not self.api.log:
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=20)
        self.assertEqual(child.returncode, 130)


CREATE = ("queued-resources", "create", "q1", "--node-id=n1", "--accelerator-type=v4-8", "--runtime-version=v")


class Names(Case):
    def test_a_request_taken_for_a_node(self):
        self.api.on("GET", "/queuedResources/q1", Answer(queued("q1", "ACTIVE")))
        for words in (("describe", "q1"), ("wait", "q1"), ("ssh", "q1", "--command=true"), ("delete", "q1", "--quiet")):
            with self.subTest(words=words):
                self.api.on("DELETE", "/nodes/q1", GONE)
                run = self.run_program("tpu-vm", *words)
                self.expect(run, 125 if words[0] == "ssh" else 3, r"queued resource \[q1\]", "s-0", "s-1")

    def test_a_request_without_nodes_yet(self):
        self.api.on("GET", "/queuedResources/q1", Answer({"name": queued("q1", "")["name"], "state": {"state": "WAITING_FOR_RESOURCES"}}))
        self.expect(self.run_program("tpu-vm", "describe", "q1"), 3, r"queued resource \[q1\]", "WAITING_FOR_RESOURCES")

    def test_a_name_of_nothing(self):
        self.expect(self.run_program("tpu-vm", "describe", "q1"), 3, "not found", absent=("queued resource",))
        self.assertEqual(len(self.api.log), 2)

    def test_a_node_that_is_there_costs_no_second_question(self):
        self.api.on("GET", "/nodes/n1", Answer(node("n1")))
        self.expect(self.run_program("tpu-vm", "describe", "n1"), 0)
        self.assertEqual(len(self.api.log), 1)


class Validity(Case):
    def policy(self, *flags):
        self.api.on("POST", "/queuedResources", operation(done=True))
        self.api.on("GET", "/queuedResources/q1", Answer(queued("q1", "ACCEPTED")))
        self.expect(self.run_program(*CREATE, *flags), 0)
        return self.api.sent("POST")[-1].body["queueingPolicy"]

    def test_durations_and_times_as_the_service_reads_them(self):
        self.assertEqual(self.policy("--valid-until-duration=6h"), {"validUntilDuration": "21600s"})
        self.assertEqual(self.policy("--valid-until-time=2131-02-03T04:05:06Z"), {"validUntilTime": "2131-02-03T04:05:06.000Z"})

    def test_what_cannot_be_is_refused_before_anything_is_sent(self):
        for flags in (("--valid-until-duration=6h", "--valid-until-time=2131-02-03T04:05:06Z"), ("--valid-until-time=2001-02-03T04:05:06Z",),
                      ("--valid-until-duration=0s",), ("--valid-until-duration=-1h",), ("--valid-until-duration=soon",),
                      ("--valid-after-duration=2h", "--valid-until-duration=1h")):
            with self.subTest(flags=flags):
                run = self.run_program(*CREATE, *flags)
                self.expect(run, 2)
                self.assertNotEqual(run.err, "")
        self.assertEqual(self.api.log, [])

    def test_an_expired_request_is_called_expired(self):
        message = "The request could not be provisioned before the start constraint"
        for policy in ({"validUntilTime": "2024-02-03T04:05:06Z"}, {"validInterval": {"startTime": "2024-02-03T01:00:00Z", "endTime": "2024-02-03T04:05:06Z"}}):
            expired = queued("q1", "FAILED", failedData={"error": {"code": 8, "message": message}}) | {"queueingPolicy": policy}
            self.api.routes.clear()
            self.api.on("GET", "/queuedResources/q1", Answer(expired))
            run = self.run_program("queued-resources", "wait", "q1")
            self.expect(run, 6, message, "expired", "2024-02-03T04:05:06Z", "tpuctl queued-resources delete")
            self.assertIn(message, self.run_program("queued-resources", "describe", "q1").out)


if __name__ == "__main__":
    main()

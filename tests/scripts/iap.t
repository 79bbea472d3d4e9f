Through Identity-Aware Proxy: a relay on loopback with TLS and an authority of its own stands in for Google's.

  $ relay() {
  >   rm -f relay/url relay/log
  >   python3 "$REPO/tests/support/iap_relay.py" serve "$PWD/relay" "$@" >relay/out 2>&1 &
  >   relay_pid=$!
  >   while [ ! -s relay/url ]; do sleep 0.05; done
  >   export CLOUDSDK_SSH_IAP_RELAY=$(cat relay/url)
  > }
  $ stop_relay() { kill $relay_pid; wait $relay_pid 2>/dev/null; true; }
  $ exchange() { timeout 120 python3 "$REPO/tests/support/iap_relay.py" exchange "$@"; }
  $ mkdir relay && echo secret-token >token
  $ export CLOUDSDK_CORE_PROJECT=p CLOUDSDK_COMPUTE_ZONE=z CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=$PWD/token
  $ export CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE=$PWD/relay/ca.pem

Ten megabytes each way at the same time:

  $ relay token:secret-token
  $ exchange 10000000 tpuctl compute start-iap-tunnel m 22 --listen-on-stdin
  the same bytes, exit 0
  $ cat relay/log
  connect instance=m interface=nic0 newWebsocket=True port=22 project=p zone=z
  client closed 1000 after 10000000 bytes
  $ exchange 100 tpuctl compute start-iap-tunnel 10.1.2.3 22 --listen-on-stdin --network=n --region=r --dest-group=g
  ERROR: (tpuctl.compute.start-iap-tunnel) IAP's relay closed the connection: * (glob)
  0 other bytes, exit 7
  $ tail -n 1 relay/log
  connect group=g host=10.1.2.3 network=n newWebsocket=True port=22 project=p region=r

A certificate of an unknown authority is not taken, and the token stays here:

  $ rm relay/log
  $ CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE= tpuctl compute start-iap-tunnel m 22 --listen-on-stdin </dev/null
  ERROR: (tpuctl.compute.start-iap-tunnel) The request to https://localhost:* failed: SSL certificate problem: * (glob)
  [1]
  $ cat relay/log
  cat: relay/log: No such file or directory
  [1]
  $ CLOUDSDK_SSH_IAP_RELAY=ws://relay.example tpuctl compute start-iap-tunnel m 22 --listen-on-stdin </dev/null
  ERROR: (tpuctl.compute.start-iap-tunnel) An access token is not sent over plain http to the relay [ws://relay.example].
  Use wss://.
  [4]
  $ stop_relay

A connection that is cut is taken up again where it was, also when the relay is away for a moment:

  $ relay cut:1000000,3000000,7000000,15000000 down:1
  $ exchange 10000000 tpuctl compute start-iap-tunnel m 22 --listen-on-stdin
  the same bytes, exit 0
  $ grep -c reconnect relay/log
  5
  $ stop_relay
  $ relay cut:100000 forget
  $ exchange 10000000 tpuctl compute start-iap-tunnel m 22 --listen-on-stdin 2>err | sed 's/^[0-9]*/SOME/'
  SOME other bytes, exit 1
  $ cat err
  ERROR: (tpuctl.compute.start-iap-tunnel) IAP does not know the session any more, so the connection to port 22 of [m] cannot be taken up again (4001: unknown sid).
  $ stop_relay

Refusals, in words:

  $ relay refuse:4033
  $ tpuctl compute start-iap-tunnel m 22 --listen-on-stdin </dev/null
  ERROR: (tpuctl.compute.start-iap-tunnel) IAP does not let this account reach port 22 of [m] (4033: no).
  Ask for the role roles/iap.tunnelResourceAccessor on the project or the machine, and check the firewall's rules for port 22.
  [4]
  $ stop_relay
  $ relay refuse:4047
  $ tpuctl compute start-iap-tunnel m 22
  Testing if tunnel connection works.
  ERROR: (tpuctl.compute.start-iap-tunnel) IAP finds no machine for port 22 of [m] (4047: no).
  Check the name, the zone and the project; a new machine takes a moment to be known.
  [3]
  $ stop_relay
  $ relay close:4010
  $ sleep 5 | tpuctl compute start-iap-tunnel m 22 --listen-on-stdin
  ERROR: (tpuctl.compute.start-iap-tunnel) The connection between IAP and port 22 of [m] broke while IAP was reading (4010: no more).
  [1]
  $ stop_relay
  $ relay http:403
  $ tpuctl compute start-iap-tunnel m 22 --listen-on-stdin </dev/null
  ERROR: (tpuctl.compute.start-iap-tunnel) https://localhost:* answered HTTP 403. (glob)
  [4]
  $ stop_relay
  $ tpuctl compute start-iap-tunnel m 22 --listen-on-stdin --local-host-port=localhost:1 </dev/null
  ERROR: (tpuctl.compute.start-iap-tunnel) --listen-on-stdin and --local-host-port exclude each other.
  [2]
  $ tpuctl compute start-iap-tunnel m ssh </dev/null
  ERROR: (tpuctl.compute.start-iap-tunnel) [ssh] is no port.
  Use a number from 1 to 65535.
  [2]
  $ tpuctl compute instances list
  ERROR: (tpuctl.compute) `gcloud compute` is outside of what tpuctl does, but for tpus: use gcloud.
  [2]

Listening on a port, for programs that know nothing of it:

  $ relay
  $ tpuctl compute start-iap-tunnel m 22 >listening 2>/dev/null &
  $ tunnel=$!
  $ while ! grep -qs Listening listening; do sleep 0.05; done
  $ port=$(sed 's/.*\[\(.*\)\].*/\1/' listening)
  $ clients=
  $ for i in 1 2 3; do
  >   exchange 200000 python3 -c "import os, socket, sys, threading
  > s = socket.create_connection(('localhost', $port))
  > threading.Thread(target=lambda: [os.write(1, b) for b in iter(lambda: s.recv(65536), b'')], daemon=True).start()
  > [s.sendall(b) for b in iter(lambda: os.read(0, 65536), b'')]" &
  >   clients="$clients $!"
  > done; wait $clients
  the same bytes, exit 0
  the same bytes, exit 0
  the same bytes, exit 0
  $ kill -INT $tunnel; wait $tunnel
  [130]

ssh and scp to workers of the emulator. The relay knows them by their host names:

  $ unset CLOUDSDK_CORE_PROJECT CLOUDSDK_COMPUTE_ZONE
  $ start_emulator
  $ tpuctl tpu-vm create pod --version=tpu-ubuntu2204-base --accelerator-type=v4-16 --quiet 2>/dev/null
  $ tpuctl tpu-vm get-guest-attributes pod --format='value(key, value)' --flatten=queryValue.items >/dev/null
  $ for i in 0 1; do
  >   tpuctl tpu-vm ssh pod --worker=$i --command='echo $(hostname) $TPUCTL_WORKER_ADDRESS' </dev/null 2>/dev/null
  > done >relay/hosts
  $ rm relay/log
  $ tpuctl tpu-vm ssh pod --worker=1 --tunnel-through-iap --ssh-key-expire-after=1h --command='echo $(hostname | sed "s/.*-//") heard "$(cat)"' <token
  SSH: Attempting to connect to worker 1...
  1 heard secret-token
  $ sed 's/-n-[0-9a-f]*-/-n-X-/; s/port=[0-9]*/port=N/' relay/log
  connect instance=t1v-n-X-w-1 interface=nic0 newWebsocket=True port=N project=emulator zone=us-central2-b
  $ tpuctl tpu-vm ssh pod --worker=all --tunnel-through-iap --command='hostname | sed "s/.*-//"' </dev/null 2>/dev/null | sort
  [pod/0] 0
  [pod/1] 1
  $ head -c 1000000 /dev/urandom >blob
  $ tpuctl tpu-vm scp blob pod:copy --tunnel-through-iap 2>/dev/null && tpuctl tpu-vm scp pod:copy back --tunnel-through-iap 2>/dev/null
  $ cmp blob back
  $ tpuctl tpu-vm ssh pod --worker=0 --tunnel-through-iap --internal-ip --command=true 2>&1 </dev/null | head -n 1
  ERROR: (tpuctl.tpu-vm.ssh) argument --internal-ip: At most one of --internal-ip | --tunnel-through-iap can be specified.
  $ tpuctl compute tpus tpu-vm ssh pod --tunnel-through-iap --command=true 2>&1 </dev/null | head -n 1
  ERROR: * (glob)

The printed command can be pasted, proxy and all:

  $ tpuctl tpu-vm ssh pod --worker=1 --tunnel-through-iap --command='echo "it'"'"'s pasted"' --account=me@example.com --dry-run >line
  $ grep -c "start-iap-tunnel.*--account=me@example.com" line
  1
  $ bash line </dev/null
  it's pasted
  $ stop_relay

Files to many workers: each byte leaves this machine once. Over real ssh, to workers that are processes of the emulator.

  $ start_emulator --bucket=data
  $ tpuctl tpu-vm create pod --version=tpu-ubuntu2204-base --accelerator-type=v4-32 --quiet 2>/dev/null
  $ tpuctl tpu-vm ssh pod --worker=all --command=true </dev/null 2>/dev/null
  $ on_all() { tpuctl tpu-vm ssh pod --worker=all --command="$1" </dev/null 2>&1 | grep -v Attempting | sort; }
  $ home() { echo "$TPUCTL_EMULATOR_DIR"/workers/pod-"$1"-*/home; }
  $ bytes_left() { sed -n 's/.* \([0-9]*\) bytes left this machine for an archive of \([0-9]*\)\.$/\1 \2/p'; }

From worker to worker. Names, executable bits and links arrive as they were:

  $ mkdir -p 'code/a b/deep' code/empty
  $ head -c 3000000 /dev/urandom >code/blob
  $ echo 1 >'code/a b/deep/é'; echo 2 >code/-x; echo 3 >code/c:d; printf '#!/bin/sh\necho ran\n' >code/run; chmod +x code/run; ln -s run code/link
  $ (cd code && find . -type f | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum) >sums
  $ tpuctl tpu-vm scp --recurse code pod: --worker=all 2>err
  $ sed 's/ in [0-9ms]*, .*\/s:/ in TIME, RATE:/; s/[0-9]* bytes left this machine/BYTES left this machine/' err
  Sending 6 files, 2.86MiB packed, to 4 workers...
  Sent in TIME, RATE: 1 from here, 3 from other workers. BYTES left this machine for an archive of 300*. (glob)
  $ bytes_left <err | awk '{ print ($1 <= 1.1 * $2 ? "once" : $0) }'
  once
  $ for worker in 0 1 2 3; do (cd "$(home $worker)/code" && sha256sum --quiet -c "$OLDPWD/sums" && ./link && ls -d empty && stat -c '%A' run && readlink link); done | sort | uniq -c | sed 's/^ *//'
  4 -rwxr-xr-x
  4 empty
  4 ran
  4 run

The key that workers trusted meanwhile is nowhere any more, and nothing is left over:

  $ on_all 'cat .ssh/authorized_keys 2>/dev/null | wc -l; ls -A'
  [pod/0] .ssh
  [pod/0] .tpuctl
  [pod/0] 0
  [pod/0] code
  [pod/1] .ssh
  [pod/1] .tpuctl
  [pod/1] 0
  [pod/1] code
  [pod/2] .ssh
  [pod/2] .tpuctl
  [pod/2] 0
  [pod/2] code
  [pod/3] .ssh
  [pod/3] .tpuctl
  [pod/3] 0
  [pod/3] code
  $ find "$TPUCTL_EMULATOR_DIR"/workers ! -name host_key -type f -exec grep -l 'PRIVATE KEY' {} +
  [1]
  $ find "$TPUCTL_EMULATOR_DIR"/workers/*/home/.tpuctl -name '*.tgz' -o -name '*.part' -o -name writer

Many small files cost no more connections than one. Nobody shares a connection here:

  $ mkdir many; for i in $(seq 100); do mkdir many/$i; for k in $(seq 20); do echo $i $k >many/$i/$k; done; done
  $ sh -c 'for log in "$TPUCTL_EMULATOR_DIR"/workers/*/sshd.log; do : >"$log"; done'
  $ XDG_RUNTIME_DIR=$PWD/$(printf 'x%.0s' $(seq 80)) tpuctl tpu-vm scp --recurse many pod: --worker=all 2>/dev/null
  $ for worker in 0 1 2 3; do diff -r many "$(home $worker)/many" && grep -c 'Accepted publickey for .* from 127.0.0.1 ' "$(home $worker)/../sshd.log"; done
  1
  1
  1
  1

Who has it is left alone; who has lost it gets it again:

  $ tpuctl tpu-vm scp --recurse code pod: --worker=all 2>&1 | sed 's/.*s: //; s/\..*//'
  Sending 6 files, 2
  4 had it already
  $ echo changed >"$(home 2)/code/c:d"
  $ tpuctl tpu-vm scp --recurse code pod: --worker=all 2>&1 | sed 's/.*s: //; s/\..*//'
  Sending 6 files, 2
  1 from here, 3 had it already
  $ on_all 'cat code/c:d'
  [pod/0] 3
  [pod/1] 3
  [pod/2] 3
  [pod/3] 3

Where it goes is scp's business: into a folder that is there, else under a new name:

  $ tpuctl tpu-vm scp code/run 'pod:code/a b' --worker=all 2>/dev/null
  $ tpuctl tpu-vm scp code/run code/c:d pod:~/code/empty --worker=1,2 2>/dev/null
  $ tpuctl tpu-vm scp code/run 'pod:new name' --worker=0-1 2>/dev/null
  $ on_all 'find code/a\ b/run code/empty/* new\ name 2>/dev/null; true'
  [pod/0] code/a b/run
  [pod/0] new name
  [pod/1] code/a b/run
  [pod/1] code/empty/c:d
  [pod/1] code/empty/run
  [pod/1] new name
  [pod/2] code/a b/run
  [pod/2] code/empty/c:d
  [pod/2] code/empty/run
  [pod/3] code/a b/run
  $ tpuctl tpu-vm scp code/blob pod:nowhere/run --worker=0,1
  Sending 1 file, *B packed, to 2 workers... (glob)
  2 of 2 workers failed:
    pod/0: there is no folder [*/home/nowhere] (glob)
    pod/1: there is no folder [*/home/nowhere] (glob)
  [1]

What cannot be is said before anybody is connected to:

  $ tpuctl tpu-vm scp code pod: --worker=all
  ERROR: (tpuctl.tpu-vm.scp) [code] is a folder.
  To copy it with what is in it: --recurse
  [2]
  $ tpuctl tpu-vm scp no-such pod: --worker=all
  ERROR: (tpuctl.tpu-vm.scp) There is no file or folder [no-such].
  [125]
  $ tpuctl tpu-vm scp pod:x other:y --worker=all
  ERROR: (tpuctl.tpu-vm.scp) Sources must be local when the destination is remote.
  [2]

A dry run prints the copies that do the same by hand; further flags for scp mean copies too:

  $ tpuctl tpu-vm scp code/run pod:by-hand --worker=all --dry-run >lines
  $ wc -l <lines
  4
  $ bash lines </dev/null 2>/dev/null
  $ cmp code/run "$(home 3)/by-hand"
  $ tpuctl tpu-vm scp code/run pod:by-scp --worker=2,3 --scp-flag='-l 100000' 2>&1
  SCP: Attempting to connect to 2 workers...
  $ cmp code/run "$(home 3)/by-scp"

Back from several workers, each into a folder of its own; from one as ever:

  $ on_all 'hostname | sed "s/.*-//" >number' 2>&1
  $ tpuctl tpu-vm scp pod:number got --worker=all 2>/dev/null
  $ grep . got/*/number
  got/0/number:0
  got/1/number:1
  got/2/number:2
  got/3/number:3
  $ cd got; echo local >run:1.log
  $ tpuctl tpu-vm scp run:1.log pod: --worker=1 2>/dev/null
  $ tpuctl tpu-vm scp pod:run:1.log back --worker=1 2>/dev/null
  $ cat back; cd ..
  local

Through a bucket, which workers read by themselves with what they have: curl, python3, gcloud:

  $ head -c 300000 /dev/urandom >payload
  $ for worker in 1 2; do mkdir "few$worker"; cp -s /usr/bin/* /bin/* "few$worker" 2>/dev/null; rm -f "few$worker/curl"; done
  $ rm -f few2/python3*
  $ for worker in 1 2; do echo "PATH=\${PATH%%:*}:$PWD/few$worker" >"$(home $worker)/.bashrc"; done
  $ on_all 'for tool in curl python3 gcloud; do command -v $tool >/dev/null && echo $tool && break; done'
  [pod/0] curl
  [pod/1] python3
  [pod/2] gcloud
  [pod/3] curl
  $ tpuctl tpu-vm scp payload pod: --worker=all --bucket=gs://data/some/folder 2>err
  $ sed 's/.*s: //; s/[0-9]* bytes.*//' err
  Sending 1 file, 293.*kiB packed, to 4 workers... (glob)
  4 from the bucket. 
  $ for worker in 0 1 2 3; do cmp payload "$(home $worker)/payload"; done
  $ tpuctl storage ls gs://data/some/folder/tpuctl/files/
  gs://data/some/folder/tpuctl/files/*.tar.gz (glob)
  $ rm "$(home 0)/.bashrc" "$(home 1)/.bashrc" "$(home 2)/.bashrc" 2>/dev/null
  [1]

What lies there is not sent again; the property does as the flag:

  $ CLOUDSDK_JOBS_BUCKET=data/some/folder tpuctl tpu-vm scp payload pod:again --worker=all 2>&1 | bytes_left | awk '{ print ($1 < 100000 ? "only words" : $0) }'
  only words

A bucket that cannot be used is told, and the files find another way:

  $ tpuctl tpu-vm scp payload pod:third --worker=all --bucket=none-such 2>&1 | sed 's/.*s: //; s/[0-9]* bytes.*//'
  Sending 1 file, 293.*kiB packed, to 4 workers... (glob)
  WARNING: The files cannot go through the bucket [none-such]: The specified bucket does not exist.
  1 from here, 3 from other workers. 

A folder for a job: without .git, and without what the ignore files name. What a job made there stays when the files are
sent again, what was taken away here is taken away there:

  $ mkdir -p work/.git work/data work/src
  $ head -c 3000000 /dev/zero >work/.git/objects; head -c 3000000 /dev/zero >work/data/set; echo 'print("first")' >work/src/main.py
  $ echo x >work/notes.txt; echo x >work/gone; printf 'data/\n' >work/.gitignore; printf '/notes.txt\n' >work/.tpuctlignore
  $ tpuctl jobs run files --tpu=pod --workdir=work -- 'find . -type f | sort; echo result >result' </dev/null 2>err
  ./.gitignore
  ./.tpuctlignore
  ./gone
  ./src/main.py
  $ grep Send err
  Sending 4 files, *B packed, to 4 workers... (glob)
  $ rm work/gone
  $ tpuctl jobs run files --tpu=pod --workdir=work -- 'find . -type f | sort' </dev/null 2>/dev/null
  ./.gitignore
  ./.tpuctlignore
  ./result
  ./src/main.py

Ctrl-C in the middle, then the end of the client without a word. A slow worker gives the time for it:

  $ mkdir slow; printf '#!/bin/sh\n[ "$2" != 262144 ] || sleep 0.3\nexec /usr/bin/head "$@"\n' >slow/head; chmod +x slow/head
  $ for worker in 0 1 2 3; do echo "PATH=\${PATH%%:*}:$PWD/slow:\${PATH#*:}" >"$(home $worker)/.bashrc"; done
  $ head -c 9000000 /dev/urandom >large
  $ cat >ended.py <<'PY'
  > import glob, os, signal, subprocess, sys, time
  > # ended.py SIGNAL BYTES COMMAND...: sends SIGNAL to COMMAND once that many bytes have arrived somewhere
  > number, much, command = getattr(signal, sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
  > child = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
  > parts = os.environ["TPUCTL_EMULATOR_DIR"] + "/workers/*/home/.tpuctl/files/*/*.part"
  > while child.poll() is None and not any(os.path.getsize(part) > much for part in glob.glob(parts)):
  >     time.sleep(0.02)
  > child.send_signal(number)
  > code = child.wait()
  > sys.exit(code if code >= 0 else 128 - code)
  > PY
  $ python3 ended.py SIGINT 1000000 tpuctl tpu-vm scp large pod: --worker=all
  Sending 1 file, 8.59MiB packed, to 4 workers...
  Interrupted.
  Workers that had not got everything are as they were. The same command goes on where this one stopped.
  [130]
  $ python3 ended.py SIGKILL 4000000 tpuctl tpu-vm scp large pod: --worker=all 2>/dev/null
  [137]
  $ for worker in 0 1 2 3; do ls "$(home $worker)/large" 2>/dev/null; done
  [2]

The worker that has most of it is given the rest, whoever is there first:

  $ sed -i 's/0.3/1/' slow/head
  $ for worker in 0 1 2 3; do ! ls "$(home $worker)"/.tpuctl/files/*/*.part >/dev/null 2>&1 || rm "$(home $worker)/.bashrc"; done
  $ tpuctl tpu-vm scp large pod: --worker=all 2>&1 | bytes_left | awk '{ print ($1 < 0.9 * $2 ? "went on where it stopped" : $0) }'
  went on where it stopped
  $ rm -f "$TPUCTL_EMULATOR_DIR"/workers/*/home/.bashrc
  $ for worker in 0 1 2 3; do cmp large "$(home $worker)/large"; done
  $ on_all 'cat .ssh/authorized_keys; ls .tpuctl/files/*/*.part .tpuctl/files/*/*.tgz' 2>&1 | grep -c tpuctl-files
  0
  [1]

A worker whose disk is full, and one that is dead, hinder nobody. Whatever was there stays whole:

  $ head -c 9000000 /dev/urandom >large
  $ printf "trap '' XFSZ\nulimit -f 2000\n" >"$(home 1)/.bashrc"
  $ kill -9 "$(cat "$(home 2)/../pid")"
  $ mkdir -m 700 fresh
  $ XDG_RUNTIME_DIR=$PWD/fresh tpuctl tpu-vm scp large pod: --worker=all --worker-timeout=25s >err 2>&1
  [255]
  $ grep -v 'workers have it' err | sed 's/ in [0-9ms]*, .*\/s:/ in TIME, RATE:/; s/[0-9]* bytes.*//; s/127[0-9.]* port [0-9]*/ADDRESS/'
  Sending 1 file, 8.59MiB packed, to 4 workers...
  Sent in TIME, RATE: 1 from here, 1 from other workers. 
  2 of 4 workers failed:
    pod/1: * File too large (glob)
    pod/2: could not be reached: *Connection refused (glob)
  $ for worker in 0 1 3; do cmp -s large "$(home $worker)/large" && echo new || wc -c <"$(home $worker)/large"; done
  new
  9000000
  new
  $ ls -A "$(home 1)" | grep '^[.]tpuctl-'
  [1]

The nodes of a queued resource, all of them at once, and back into a folder for each worker:

  $ tpuctl queued-resources create pair --node-count=2 --node-prefix=pair --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base --quiet 2>/dev/null >/dev/null
  $ tpuctl queued-resources wait pair >/dev/null 2>&1
  $ head -c 300000 /dev/urandom >payload
  $ tpuctl queued-resources scp payload pair:here --node=all --worker=all 2>&1 | sed -n 's/^Sent in.*: \(.*other workers\).*/\1/p'
  1 from here, 3 from other workers
  $ tpuctl queued-resources scp pair:here back --node=all --worker=all 2>/dev/null
  $ cksum back/*/here | cut -d' ' -f1 | uniq | wc -l
  1
  $ ls back
  pair-0-0
  pair-0-1
  pair-1-0
  pair-1-1

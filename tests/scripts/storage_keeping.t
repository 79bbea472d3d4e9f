What an object is stored with, and when it may be stored, as gcloud's flags say.

  $ start_emulator --bucket=data
  $ echo log >train.log
  $ kept() { tpuctl storage ls --format='json(contentType,cacheControl,storageClass,metadata)' "$1" | python3 -c 'import json,sys; print(json.dumps(json.load(sys.stdin), sort_keys=True))'; }

  $ tpuctl storage cp --content-type=application/x-log --cache-control='private, max-age=0' -s NEARLINE --custom-metadata=run=a,step=7 train.log gs://data/a
  Copying file://train.log to gs://data/a
  $ kept gs://data/a
  [{"cacheControl": "private, max-age=0", "contentType": "application/x-log", "metadata": {"run": "a", "step": "7"}, "storageClass": "NEARLINE"}]

A copy in the cloud keeps what its source has; what is asked for is changed, and nothing else:

  $ tpuctl storage cp gs://data/a gs://data/b
  Copying gs://data/a to gs://data/b
  $ kept gs://data/b
  [{"cacheControl": "private, max-age=0", "contentType": "application/x-log", "metadata": {"run": "a", "step": "7"}, "storageClass": "NEARLINE"}]
  $ tpuctl storage cp --update-custom-metadata=step=8,best=yes --remove-custom-metadata=run gs://data/a gs://data/c
  Copying gs://data/a to gs://data/c
  $ kept gs://data/c
  [{"cacheControl": "private, max-age=0", "contentType": "application/x-log", "metadata": {"best": "yes", "step": "8"}, "storageClass": "STANDARD"}]
  $ tpuctl storage mv --clear-custom-metadata --content-type=text/plain gs://data/c gs://data/d
  Copying gs://data/c to gs://data/d
  $ kept gs://data/d
  [{"cacheControl": "private, max-age=0", "contentType": "text/plain", "storageClass": "STANDARD"}]

A large file goes by a resumable upload, with the same:

  $ head -c 9000000 /dev/zero >large
  $ tpuctl storage cp --custom-metadata=kind=zeros large gs://data/large
  Copying file://large to gs://data/large
  $ kept gs://data/large
  [{"contentType": "application/octet-stream", "metadata": {"kind": "zeros"}, "storageClass": "STANDARD"}]

Only when the right generation is there; what is there stays:

  $ tpuctl storage cp --if-generation-match=0 train.log gs://data/new
  Copying file://train.log to gs://data/new
  $ echo other >other.log
  $ tpuctl storage cp --if-generation-match=0 other.log gs://data/new
  Copying file://other.log to gs://data/new
  ERROR: (tpuctl.storage.cp) The object gs://data/new is not as it must be: its generation or metageneration is another. It stays.
  See what is there: tpuctl storage ls -a gs://data/new
  [5]
  $ tpuctl storage cp --if-generation-match=0 gs://data/a gs://data/new >out 2>&1; echo $?  # the same bytes: still not ours
  5
  $ tpuctl storage cp --if-generation-match=0 large gs://data/new >out 2>&1; echo $?
  5
  $ tpuctl storage cat gs://data/new
  log
  $ generation=$(tpuctl storage ls --format='value(generation)' gs://data/new)
  $ tpuctl storage cp -v --if-generation-match=$generation other.log gs://data/new 2>&1 | sed 's/#[0-9]*$/#GENERATION/'
  Copying file://other.log to gs://data/new
  Created: gs://data/new#GENERATION
  $ tpuctl storage rm --if-generation-match=$generation gs://data/new
  Removing objects:
  Removing gs://data/new...
  ERROR: (tpuctl.storage.rm) The object gs://data/new was changed meanwhile; it stays.
  [5]
  $ tpuctl storage cp --if-generation-match=first train.log gs://data/new
  ERROR: (tpuctl.storage.cp) argument --if-generation-match: [first] is no generation.
  It is a number: tpuctl storage ls -a shows it behind the #.
  [2]

Words of the command can be switched off; what went wrong is said all the same:

  $ tpuctl storage cp --no-user-output-enabled train.log gs://data/quiet
  $ tpuctl storage cp --no-user-output-enabled -c nothing.log train.log gs://data/more/
  ERROR: (tpuctl.storage.cp) These match no object or file: nothing.log
  [3]
  $ mkdir folder
  $ tpuctl storage cp --no-user-output-enabled folder train.log gs://data/more/
  WARNING: folder is left out: it is a folder, and --recursive is not given.
  ERROR: (tpuctl.storage.cp) These match no object or file: folder
  [3]

Names from standard input:

  $ printf 'train.log\n\nother.log\n' | tpuctl storage cp -I gs://data/logs/
  Copying file://train.log to gs://data/logs/train.log
  Copying file://other.log to gs://data/logs/other.log
  $ printf 'gs://data/logs/*\n' | tpuctl storage rm --read-paths-from-stdin
  Removing objects:
  Removing gs://data/logs/other.log...
  Removing gs://data/logs/train.log...
  $ tpuctl storage rm -I </dev/null
  ERROR: (tpuctl.storage.rm) An address is needed.
  tpuctl storage rm gs://BUCKET/OBJECT...
  [2]

What gcloud has besides is told in one line:

  $ tpuctl storage cp --gzip-local=txt train.log gs://data/z
  ERROR: (tpuctl.storage.cp) gcloud's --gzip-local is outside of what tpuctl storage cp does.
  Leave it away, or use gcloud.
  [2]
  $ tpuctl storage cp --custom-metadata=a=b --clear-custom-metadata train.log gs://data/z
  ERROR: (tpuctl.storage.cp) argument --custom-metadata: At most one of --custom-metadata | --clear-custom-metadata | --update-custom-metadata --remove-custom-metadata can be specified.
  Run `tpuctl storage cp --help` for its flags.
  [2]

Objects and files, against the emulator's Cloud Storage.

  $ start_emulator --bucket=data --bucket=other
  $ mkdir -p run/ckpt/100 run/ckpt/200; echo w1 >run/ckpt/100/weights; echo w2 >run/ckpt/200/weights; echo log >run/train.log; echo x >.hidden

Up and down. A destination that is a bucket, a folder or ends with a slash takes names; any other is the name:

  $ tpuctl storage ls
  gs://data/
  gs://other/
  $ tpuctl storage cp run/train.log gs://data
  Copying file://run/train.log to gs://data/train.log
  $ tpuctl storage cp run/train.log gs://data/logs/
  Copying file://run/train.log to gs://data/logs/train.log
  $ tpuctl storage cp run/train.log gs://data/copy
  Copying file://run/train.log to gs://data/copy
  $ tpuctl storage cp -r run gs://data
  Copying file://run/ckpt/100/weights to gs://data/run/ckpt/100/weights
  Copying file://run/ckpt/200/weights to gs://data/run/ckpt/200/weights
  Copying file://run/train.log to gs://data/run/train.log
  $ tpuctl storage cp -r run gs://data/renamed
  Copying file://run/ckpt/100/weights to gs://data/renamed/ckpt/100/weights
  Copying file://run/ckpt/200/weights to gs://data/renamed/ckpt/200/weights
  Copying file://run/train.log to gs://data/renamed/train.log
  $ tpuctl storage cp -r run gs://data/renamed
  Copying file://run/ckpt/100/weights to gs://data/renamed/run/ckpt/100/weights
  Copying file://run/ckpt/200/weights to gs://data/renamed/run/ckpt/200/weights
  Copying file://run/train.log to gs://data/renamed/run/train.log
  $ tpuctl storage ls gs://data
  gs://data/copy
  gs://data/train.log
  gs://data/logs/
  gs://data/renamed/
  gs://data/run/
  $ tpuctl storage ls 'gs://data/renamed/**'
  gs://data/renamed/ckpt/100/weights
  gs://data/renamed/ckpt/200/weights
  gs://data/renamed/run/ckpt/100/weights
  gs://data/renamed/run/ckpt/200/weights
  gs://data/renamed/run/train.log
  gs://data/renamed/train.log
  $ mkdir down
  $ tpuctl storage cp -r gs://data/run down
  Copying gs://data/run/ckpt/100/weights to file://down/run/ckpt/100/weights
  Copying gs://data/run/ckpt/200/weights to file://down/run/ckpt/200/weights
  Copying gs://data/run/train.log to file://down/run/train.log
  $ diff -r run down/run
  $ tpuctl storage cp 'gs://data/run/**/weights' gs://data/copy gone
  ERROR: (tpuctl.storage.cp) The destination must be a folder that exists for what is copied here; [gone] is none.
  Make it: mkdir -p gone
  [2]
  $ tpuctl storage cp gs://data/copy gone/sub/
  ERROR: (tpuctl.storage.cp) The folder [gone/sub/] does not exist.
  Make it: mkdir -p gone/sub/
  [2]
  $ tpuctl storage cp gs://data/copy made/on/the/way && cat made/on/the/way
  Copying gs://data/copy to file://made/on/the/way
  log
  $ tpuctl storage cp run gs://data
  WARNING: run is left out: it is a folder, and --recursive is not given.
  ERROR: (tpuctl.storage.cp) These match no object or file: run
  [3]
  $ tpuctl storage cp nothing gs://data/x
  ERROR: (tpuctl.storage.cp) These match no object or file: nothing
  [3]
  $ tpuctl storage cp gs://data/nothing .
  ERROR: (tpuctl.storage.cp) These match no object or file: gs://data/nothing
  [3]
  $ tpuctl storage cp gs://nowhere/x . 2>&1 | sed 's/This command.*//'
  ERROR: (tpuctl.storage.cp) The bucket gs://nowhere does not exist. 
  $ tpuctl storage cp run/train.log elsewhere
  ERROR: (tpuctl.storage.cp) Neither file://run/train.log nor file://elsewhere is in Cloud Storage.
  Use cp for copies on this machine.
  [2]
  $ tpuctl storage cp run/train.log s3://data/x
  ERROR: (tpuctl.storage.cp) [s3://data/x] is neither a gs:// address nor a path of this machine.
  tpuctl copies between Cloud Storage and files.
  [2]
  $ tpuctl storage cp run/train.log
  ERROR: (tpuctl.storage.cp) A source and a destination are needed.
  tpuctl storage cp SOURCE... DESTINATION
  [2]

Streams:

  $ echo done | tpuctl storage cp - gs://data/FINISHED
  Copying file://- to gs://data/FINISHED
  $ tpuctl storage cp gs://data/FINISHED -
  Copying gs://data/FINISHED to file://-
  done
  $ tpuctl storage cat 'gs://data/run/ckpt/*00/weights'
  w1
  w2
  $ tpuctl storage cat --range=1-2 gs://data/FINISHED; echo
  on
  $ tpuctl storage cat --range=-3 gs://data/FINISHED
  ne
  $ tpuctl storage cat --range=x gs://data/FINISHED
  ERROR: (tpuctl.storage.cat) [x] is no range of bytes.
  Write 256-939, 256- or -5 (the last five).
  [2]
  $ tpuctl storage cat -d gs://data/nothing gs://data/FINISHED
  ==> gs://data/FINISHED <==
  done
  ERROR: (tpuctl.storage.cat) These match no object or file: gs://data/nothing
  [3]
  $ echo x | tpuctl storage cp - gs://data
  ERROR: (tpuctl.storage.cp) What comes from standard input needs the name of an object as its destination.
  [2]
  $ tpuctl storage cp gs://data/copy /dev/null && test -c /dev/null
  Copying gs://data/copy to file:///dev/null

Wildcards, on both sides; a hidden file only when it is asked for:

  $ touch a1 a2 b1
  $ tpuctl storage cp '[ab]?' gs://other
  Copying file://a1 to gs://other/a1
  Copying file://a2 to gs://other/a2
  Copying file://b1 to gs://other/b1
  $ tpuctl storage cp '*' gs://other/all/
  WARNING: down is left out: it is a folder, and --recursive is not given.
  WARNING: made is left out: it is a folder, and --recursive is not given.
  WARNING: run is left out: it is a folder, and --recursive is not given.
  Copying file://a1 to gs://other/all/a1
  Copying file://a2 to gs://other/all/a2
  Copying file://b1 to gs://other/all/b1
  $ tpuctl storage cp '.h*' gs://other/all/
  Copying file://.hidden to gs://other/all/.hidden
  $ tpuctl storage ls 'gs://other/a?' 'gs://*/all'
  gs://other/a1
  gs://other/a2
  gs://other/all/.hidden
  gs://other/all/a1
  gs://other/all/a2
  gs://other/all/b1
  $ tpuctl storage ls 'gs://other/z*'
  ERROR: (tpuctl.storage.ls) [gs://other/z*] matches no object.
  See what is there: tpuctl storage ls gs://other
  [3]

What is there, in columns, below headings and for programs:

  $ tpuctl storage ls -l gs://data/run | sed 's/20..-..-..T..:..:..Z/TIME/'
           4  TIME  gs://data/run/train.log
                                    gs://data/run/ckpt/
  TOTAL: 1 objects, 4 bytes (4.00B)
  $ tpuctl storage ls -r gs://data/run
  gs://data/run/:
  gs://data/run/train.log
  
  gs://data/run/ckpt/:
  
  gs://data/run/ckpt/100/:
  gs://data/run/ckpt/100/weights
  
  gs://data/run/ckpt/200/:
  gs://data/run/ckpt/200/weights
  $ tpuctl storage ls gs://data/r*
  gs://data/renamed/:
  gs://data/renamed/train.log
  gs://data/renamed/ckpt/
  gs://data/renamed/run/
  
  gs://data/run/:
  gs://data/run/train.log
  gs://data/run/ckpt/
  $ tpuctl storage ls -b gs://data
  gs://data/
  $ tpuctl storage ls --format='value(name, size, contentType)' gs://data/run/train.log
  run/train.log\t4\ttext/plain (esc)
  $ tpuctl storage ls -j gs://data/run | python3 -c 'import json, sys; print([(row["url"].split("#")[0], row["type"]) for row in json.load(sys.stdin)])'
  [('gs://data/run/train.log', 'cloud_object'), ('gs://data/run/ckpt/', 'prefix')]
  $ tpuctl storage ls gs://data/nothing
  ERROR: (tpuctl.storage.ls) [gs://data/nothing] matches no object.
  See what is there: tpuctl storage ls gs://data
  [3]
  $ tpuctl storage ls gs://nowhere 2>&1 | sed 's/This command.*//'
  ERROR: (tpuctl.storage.ls) The bucket gs://nowhere does not exist. 
  $ tpuctl storage ls run
  ERROR: (tpuctl.storage.ls) [run] is not in Cloud Storage; ls shows what is under gs://.
  [2]

Nothing is overwritten with -n:

  $ echo new >run/train.log
  $ tpuctl storage cp -n run/train.log gs://data/copy
  Copying file://run/train.log to gs://data/copy
  Skipping existing destination item (no-clobber): gs://data/copy
  $ tpuctl storage cp -n run/train.log gs://data/copy2
  Copying file://run/train.log to gs://data/copy2
  $ tpuctl storage cp -n gs://data/copy run/train.log
  Copying gs://data/copy to file://run/train.log
  Skipping existing destination item (no-clobber): file://run/train.log
  $ tpuctl storage cp -n gs://data/copy gs://data/copy2
  Copying gs://data/copy to gs://data/copy2
  Skipping existing destination item (no-clobber): gs://data/copy2
  $ tpuctl storage cat gs://data/copy gs://data/copy2; cat run/train.log
  log
  new
  new

Moving:

  $ tpuctl storage mv a1 gs://data/
  Copying file://a1 to gs://data/a1
  $ tpuctl storage mv gs://data/a1 gs://other/moved
  Copying gs://data/a1 to gs://other/moved
  $ tpuctl storage mv gs://other/moved a3
  Copying gs://other/moved to file://a3
  $ tpuctl storage mv -n gs://data/copy gs://data/copy2
  Copying gs://data/copy to gs://data/copy2
  Skipping existing destination item (no-clobber): gs://data/copy2
  $ tpuctl storage mv gs://data/renamed gs://data/other
  Copying gs://data/renamed/ckpt/100/weights to gs://data/other/ckpt/100/weights
  Copying gs://data/renamed/ckpt/200/weights to gs://data/other/ckpt/200/weights
  Copying gs://data/renamed/run/ckpt/100/weights to gs://data/other/run/ckpt/100/weights
  Copying gs://data/renamed/run/ckpt/200/weights to gs://data/other/run/ckpt/200/weights
  Copying gs://data/renamed/run/train.log to gs://data/other/run/train.log
  Copying gs://data/renamed/train.log to gs://data/other/train.log
  $ ls a*; tpuctl storage ls 'gs://data/other/**' gs://data/copy
  a2
  a3
  gs://data/other/ckpt/100/weights
  gs://data/other/ckpt/200/weights
  gs://data/other/run/ckpt/100/weights
  gs://data/other/run/ckpt/200/weights
  gs://data/other/run/train.log
  gs://data/other/train.log
  gs://data/copy
  $ tpuctl storage ls gs://data/renamed
  ERROR: (tpuctl.storage.ls) [gs://data/renamed] matches no object.
  See what is there: tpuctl storage ls gs://data
  [3]
  $ tpuctl storage mv gs://data here
  ERROR: (tpuctl.storage.mv) A bucket cannot be moved: [gs://data].
  For what is in it write gs://data/*
  [2]

What would be done:

  $ tpuctl storage cp --dry-run -r run/ckpt gs://data/dry | sed 's|http://[^/]*|HOST|'
  POST HOST/upload/storage/v1/b/data/o?name=dry%2F100%2Fweights
  POST HOST/upload/storage/v1/b/data/o?name=dry%2F200%2Fweights
  $ tpuctl storage mv --dry-run gs://data/copy gs://data/dry | sed 's|http://[^/]*|HOST|'
  POST HOST/storage/v1/b/data/o/copy/rewriteTo/b/data/o/dry
  DELETE HOST/storage/v1/b/data/o/copy
  $ tpuctl storage rm --dry-run 'gs://data/copy*' | sed 's|http://[^/]*|HOST|'
  DELETE HOST/storage/v1/b/data/o/copy
  DELETE HOST/storage/v1/b/data/o/copy2
  $ tpuctl storage ls gs://data/dry
  ERROR: (tpuctl.storage.ls) [gs://data/dry] matches no object.
  See what is there: tpuctl storage ls gs://data
  [3]

Large files go in pieces and come back whole; trouble on the way is not seen:

  $ head -c 20000000 /dev/urandom >large
  $ tpuctl storage cp large gs://data/
  Copying file://large to gs://data/large
  $ tpuctl storage cp gs://data/large back && cmp large back
  Copying gs://data/large to file://back
  $ tpuctl emulator fault lost:1@PUT:/upload/ 2>/dev/null
  $ tpuctl storage cp --log-http large gs://data/large2 2>&1 | grep '^Content-Range'
  Content-Range: bytes 0-8388607/*
  Content-Range: bytes 8388608-16777215/*
  Content-Range: bytes 16777216-19999999/20000000
  $ tpuctl emulator fault http:503:1@PUT:/upload/ 2>/dev/null
  $ tpuctl storage cp --log-http large gs://data/large2 2>&1 | grep '^Content-Range'
  Content-Range: bytes 0-8388607/*
  Content-Range: bytes */*
  Content-Range: bytes 0-8388607/*
  Content-Range: bytes 8388608-16777215/*
  Content-Range: bytes 16777216-19999999/20000000
  $ tpuctl emulator fault truncate:1@GET:/download/ 2>/dev/null
  $ tpuctl storage cp --log-http gs://data/large2 - 2>log | cmp large -
  $ grep -c '^method: GET' log
  3
  $ grep '^Range: bytes=[0-9]*-$' log | sed 's/[0-9][0-9]*-/N-/'
  Range: bytes=N-
  $ head -c 9000000 large | tpuctl storage cp - gs://data/stream
  Copying file://- to gs://data/stream
  $ tpuctl storage cat gs://data/stream | cmp -n 9000000 - large && tpuctl storage ls -l gs://data/stream | tail -1
  TOTAL: 1 objects, 9000000 bytes (8.58MiB)
  $ tpuctl storage cat gs://data/large | head -c 5 | wc -c
  5

No half file is left, and no file is lost for one that did not come:

  $ echo old >target
  $ tpuctl emulator fault http:403:1@GET:/download/ 2>/dev/null
  $ tpuctl storage cp gs://data/large target 2>&1 | sed 's/This command.*//'
  Copying gs://data/large to file://target
  ERROR: (tpuctl.storage.cp) PERMISSION_DENIED: The emulator was told to answer with 403. 
  $ cat target; ls target*
  old
  target
  $ (ulimit -f 1000; trap '' XFSZ; tpuctl storage cp gs://data/large target); cat target; ls target*
  Copying gs://data/large to file://target
  ERROR: (tpuctl.storage.cp) Cannot write [target]: File too large.
  old
  target
  $ tpuctl emulator fault none
  Set fault [none].
  $ tpuctl storage cp gs://data/copy /dev/full
  Copying gs://data/copy to file:///dev/full
  ERROR: (tpuctl.storage.cp) Cannot write [/dev/full]: No space left on device.
  Make room on the disk; no half file was left.
  [1]
  $ test -c /dev/full

Names that would leave the folder stay where they are:

  $ printf x | tpuctl storage cp - gs://other/evil/../../up 2>/dev/null
  $ tpuctl storage cp -r gs://other/evil down
  ERROR: (tpuctl.storage.cp) gs://other/evil/../../up is not copied: its name would leave the folder it is copied to.
  [1]
  $ test -e up
  [1]

Away with it:

  $ tpuctl storage rm gs://data/large gs://data/nothing
  Removing objects:
  Removing gs://data/large...
  ERROR: (tpuctl.storage.rm) These match no object or file: gs://data/nothing
  [3]
  $ tpuctl storage rm gs://data/run
  WARNING: gs://data/run/ is left out: it is a folder, and --recursive is not given.
  Removing objects:
  ERROR: (tpuctl.storage.rm) These match no object or file: gs://data/run
  [3]
  $ tpuctl storage rm -r gs://data/run 2>&1 | sed 's/#[0-9]*/#N/'
  Removing objects:
  Removing gs://data/run/ckpt/100/weights#N...
  Removing gs://data/run/ckpt/200/weights#N...
  Removing gs://data/run/train.log#N...
  $ tpuctl storage rm 'gs://data/*'
  WARNING: gs://data/logs/ is left out: it is a folder, and --recursive is not given.
  WARNING: gs://data/other/ is left out: it is a folder, and --recursive is not given.
  Removing objects:
  Removing gs://data/FINISHED...
  Removing gs://data/copy...
  Removing gs://data/copy2...
  Removing gs://data/large2...
  Removing gs://data/stream...
  Removing gs://data/train.log...
  $ tpuctl storage rm run
  ERROR: (tpuctl.storage.rm) [run] is not in Cloud Storage; use rm for files of this machine.
  [2]
  $ tpuctl storage rm -r gs://other 2>/dev/null
  $ tpuctl storage ls
  gs://data/

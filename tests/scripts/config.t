Properties: set, read, listed and removed, in the files that gcloud reads and writes.

The first property makes the files:

  $ ls -A "$HOME"
  $ tpuctl config set project my-project
  Updated property [core/project].
  $ tpuctl config set compute/zone us-central2-b
  Updated property [compute/zone].
  $ (cd "$HOME" && find . -type f | sort)
  ./.config/gcloud/active_config
  ./.config/gcloud/config_sentinel
  ./.config/gcloud/configurations/config_default
  $ cat "$HOME/.config/gcloud/configurations/config_default"
  [core]
  project = my-project
  
  [compute]
  zone = us-central2-b
  
  $ stat -c %a "$HOME/.config/gcloud/configurations"
  700
  $ tpuctl config get project
  my-project
  $ tpuctl config get-value compute/zone
  us-central2-b
  $ tpuctl config get core/project --format=json
  "my-project"
  $ tpuctl config list
  [compute]
  zone = us-central2-b
  [core]
  project = my-project
  
  Your active configuration is: [default]
  $ tpuctl config list --filter=core.project:other --format=json
  []
  $ tpuctl config list --limit=1 --format='csv(core.project)'
  project
  my-project
  $ tpuctl config set project p --installation
  ERROR: (tpuctl.config.set) gcloud's --installation is outside of what tpuctl config set does.
  Leave it away, or use gcloud.
  [2]
  $ tpuctl config list compute/
  [compute]
  zone = us-central2-b
  
  Your active configuration is: [default]
  $ tpuctl config list --format=json
  {
    "compute": {
      "zone": "us-central2-b"
    },
    "core": {
      "project": "my-project"
    }
  }
  $ tpuctl config list --format='value(compute.zone)'
  us-central2-b

A property that has no value, one that has a default, and one of our own:

  $ tpuctl config get account
  (unset)
  $ tpuctl config get ssh/port
  22
  $ tpuctl config get api_endpoint_overrides/compute
  (unset)
  Defaults to  https://compute.googleapis.com/compute/v1/
  $ tpuctl config set ssh/port 2222
  Updated property [ssh/port].
  $ tpuctl config get ssh/port
  2222
  $ tpuctl config unset ssh/port
  Unset property [ssh/port].
  $ tpuctl config unset compute/region
  Unset property [compute/region].
  $ cat "$HOME/.config/gcloud/configurations/config_default"
  [core]
  project = my-project
  
  [compute]
  zone = us-central2-b
  
  [ssh]
  

What does not exist is refused, before anything is written:

  $ tpuctl config set projcet my-project
  ERROR: (tpuctl.config.set) Section [core] has no property [projcet].
  [1]
  $ tpuctl config set compute/zonee x
  ERROR: (tpuctl.config.set) Section [compute] has no property [zonee].
  [1]
  $ tpuctl config set nosection/zone x
  ERROR: (tpuctl.config.set) Section "nosection" does not exist.
  [1]
  $ tpuctl config get compute/zonee
  ERROR: (tpuctl.config.get) Section [compute] has no property [zonee].
  [1]
  $ tpuctl config set compute/zone
  ERROR: (tpuctl.config.set) argument VALUE: Must be specified.
  Run `tpuctl config set --help` for its flags.
  [2]
  $ tpuctl config set
  ERROR: (tpuctl.config.set) argument PROPERTY: Must be specified.
  Run `tpuctl config set --help` for its flags.
  [2]
  $ tpuctl config sett compute/zone x
  ERROR: (tpuctl.config) Invalid choice: 'sett'. Did you mean 'set'?
  Run `tpuctl config --help` for its commands.
  [2]
  $ tpuctl config set disable_prompts maybe
  ERROR: (tpuctl.config.set) Invalid value for property [core/disable_prompts]: The [disable_prompts] value [maybe] is not valid. Possible values: [true, 1, on, yes, y, false, 0, off, no, n, '', none]. (See http://yaml.org/type/bool.html)
  [1]
  $ tpuctl config set tpu/api_version v3
  ERROR: (tpuctl.config.set) Invalid value for property [tpu/api_version]: The tpu api_version property value [v3] is not valid. Possible values: [v2, v2alpha1].
  [1]
  $ tpuctl config set ssh/port ssh
  ERROR: (tpuctl.config.set) Invalid value for property [ssh/port]: [ssh] is no port number.
  [1]
  $ tpuctl config list --format='value(core.disable_prompts, tpu.api_version, ssh.port)'
  \t\t (esc)

The environment goes before the file, and says so:

  $ CLOUDSDK_CORE_PROJECT=other tpuctl config get project
  other
  $ CLOUDSDK_CORE_PROJECT=other tpuctl config set project third
  WARNING: Property [project] is overridden by environment setting [CLOUDSDK_CORE_PROJECT=other]
  Updated property [core/project].
  $ tpuctl config get project
  third
  $ CLOUDSDK_COMPUTE_ZONE=europe-west4-b tpuctl config list --show-source
  [compute]
  zone = europe-west4-b  # CLOUDSDK_COMPUTE_ZONE
  [core]
  project = third  # */home/.config/gcloud/configurations/config_default (glob)
  
  Your active configuration is: [default]
  $ tpuctl config get project --project=flag
  flag

Properties of gcloud's that mean nothing here are kept and checked as gcloud does it:

  $ tpuctl config set storage/use_grpc_if_available true
  Updated property [storage/use_grpc_if_available].
  $ tpuctl config set storage/use_grpc_if_available perhaps
  ERROR: (tpuctl.config.set) Invalid value for property [storage/use_grpc_if_available]: The [use_grpc_if_available] value [perhaps] is not valid. Possible values: [true, 1, on, yes, y, false, 0, off, no, n, '', none]. (See http://yaml.org/type/bool.html)
  [1]
  $ CLOUDSDK_STORAGE_CHECK_HASHES=never tpuctl config list storage/ --show-source
  [storage]
  check_hashes = never  # CLOUDSDK_STORAGE_CHECK_HASHES
  use_grpc_if_available = true  # */home/.config/gcloud/configurations/config_default (glob)
  
  Your active configuration is: [default]
  $ tpuctl config list core/project --show-source --format=json
  {
    "core": {
      "project": {
        "source": "*/home/.config/gcloud/configurations/config_default", (glob)
        "value": "third"
      }
    }
  }
  $ tpuctl config list ssh/port --show-source
  [ssh]
  port = 22  # default
  
  Your active configuration is: [default]
  $ tpuctl config list compute/ --all
  [compute]
  image_family_scope (unset)
  region (unset)
  use_new_list_usable_subnets_api (unset)
  zone = us-central2-b
  
  Your active configuration is: [default]
  $ tpuctl config list project --all
  ERROR: (tpuctl.config.list) Commands with the `--all` flag must be in the format `tpuctl config list <SECTION>/` without a property specified.
  [1]

What gcloud wrote and we do not know stays:

  $ cat >"$HOME/.config/gcloud/configurations/config_default" <<'INI'
  > [core]
  > project = kept
  > 
  > [container]
  > cluster = mine
  > INI
  $ tpuctl config set compute/zone us-central2-b
  Updated property [compute/zone].
  $ cat "$HOME/.config/gcloud/configurations/config_default"
  [core]
  project = kept
  
  [container]
  cluster = mine
  
  [compute]
  zone = us-central2-b
  

Named configurations:

  $ tpuctl config configurations create work --no-activate
  Created [work].
  To use this configuration, activate it by running:
    $ tpuctl config configurations activate work
  
  
  $ tpuctl config set account me@example.com --configuration=work
  Updated property [core/account].
  $ tpuctl config configurations list
  NAME     IS_ACTIVE  ACCOUNT         PROJECT  COMPUTE_DEFAULT_ZONE  COMPUTE_DEFAULT_REGION
  default  True                       kept     us-central2-b
  work     False      me@example.com
  $ tpuctl config configurations list --filter='is_active=true' --format='value(name, properties.core.project)'
  default\tkept (esc)
  $ tpuctl config configurations rename work --new-name=home
  Renamed [work] to be [home].
  $ tpuctl config configurations activate home
  Activated [home].
  $ tpuctl config configurations describe home
  is_active: true
  name: home
  properties:
    core:
      account: me@example.com
  $ tpuctl config configurations activate default
  Activated [default].
  $ echo n | tpuctl config configurations delete home
  The following configurations will be deleted:
   - home
  Do you want to continue (Y/n)?  
  ERROR: (tpuctl.config.configurations.delete) Aborted by user.
  [1]
  $ tpuctl config configurations delete home </dev/null
  The following configurations will be deleted:
   - home
  Do you want to continue (Y/n)?  
  ERROR: (tpuctl.config.configurations.delete) The question was not answered: there is no more input.
  Add --quiet to go on without being asked.
  [1]
  $ tpuctl config configurations delete home --quiet
  The following configurations will be deleted:
   - home
  Deleted [home].

Another configuration, by flag and by environment:

  $ printf '[core]\nproject = dev-project\n' >"$HOME/.config/gcloud/configurations/config_dev"
  $ tpuctl config get project --configuration=dev
  Your active configuration is: [dev]
  dev-project
  $ CLOUDSDK_ACTIVE_CONFIG_NAME=dev tpuctl config get project
  Your active configuration is: [dev]
  dev-project
  $ tpuctl config get project --configuration=nothere
  Your active configuration is: [nothere]
  (unset)

A broken file names itself and its line:

  $ printf '[core]\nproject = x\nthis is no setting\n' >"$HOME/.config/gcloud/configurations/config_default"
  $ tpuctl config list
  ERROR: (tpuctl.config.list) */home/.config/gcloud/configurations/config_default:3: neither a [section] header nor NAME = VALUE. (glob)
  Correct the file by hand; gcloud cannot read it either.
  [1]
  $ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) */home/.config/gcloud/configurations/config_default:3: neither a [section] header nor NAME = VALUE. (glob)
  Correct the file by hand; gcloud cannot read it either.
  [1]
  $ printf '[core\nproject = x\n' >"$HOME/.config/gcloud/configurations/config_default"
  $ tpuctl config get project
  ERROR: (tpuctl.config.get) */home/.config/gcloud/configurations/config_default:1: a [section] header is expected before the first property. (glob)
  Correct the file by hand; gcloud cannot read it either.
  [1]
  $ tpuctl --version
  tpuctl [0-9.]+ (re)
  $ tpuctl config set project y
  ERROR: (tpuctl.config.set) */home/.config/gcloud/configurations/config_default:1: a [section] header is expected before the first property. (glob)
  Correct the file by hand; gcloud cannot read it either.
  [1]
  $ cat "$HOME/.config/gcloud/configurations/config_default"
  [core
  project = x

A home that cannot hold the files:

  $ touch "$HOME/a-file"
  $ HOME=$HOME/a-file tpuctl config set project x
  ERROR: (tpuctl.config.set) Cannot make the folder [*/home/a-file/.config]: Not a directory. (glob)
  [1]
  $ CLOUDSDK_CONFIG=/proc/nothing tpuctl config set project x
  ERROR: (tpuctl.config.set) Cannot make the folder [/proc/nothing]: No such file or directory.
  [1]
  $ CLOUDSDK_CONFIG=$HOME/elsewhere tpuctl config set project there
  Updated property [core/project].
  $ ls -A "$HOME/elsewhere"
  active_config
  config_sentinel
  configurations

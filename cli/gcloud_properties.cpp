// SPDX-License-Identifier: Apache-2.0
// The names of gcloud 528's properties. Those that mean something here have a row in properties.cpp; the others are kept in
// the files, listed and set as gcloud does it, and otherwise left alone.
#include <algorithm>

#include "cli/properties.hpp"

namespace tpuctl::cli {

namespace {

struct Section {
  std::string_view name;
  std::string_view properties;  ///< NAME[?][-][=DEFAULT], apart by blanks: ? a boolean, - listed only when it is set
};

// clang-format off
constexpr Section kSections[] = {
    {"access_context_manager", "organization- policy-"},
    {"ai", "region"},
    {"ai_platform", "region"},
    {"api_client_overrides",
     "alloydb- appengine- baremetalsolution- cloudidentity- cloudresourcemanager- compute- container- run- "
     "securitycenter- speech- sql- storage- workstations-"},
    {"api_endpoint_overrides",
     "accessapproval accesscontextmanager ai aiplatform alloydb- anthosevents anthospolicycontrollerstatus_pa "
     "apigateway apigee apihub- apikeys- appconfigmanager- appengine apphub artifactregistry assuredworkloads "
     "auditmanager authztoolkit- backupdr- baremetalsolution batch- beyondcorp- bigquery- bigquerymigration- "
     "bigtableadmin binaryauthorization- categorymanager- certificatemanager cloudaicompanion- cloudasset "
     "cloudbilling cloudbuild cloudcommerceconsumerprocurement clouddebugger clouddeploy clouderrorreporting "
     "cloudfunctions cloudidentity cloudkms cloudlocationfinder cloudnumberregistry- cloudquotas- "
     "cloudresourcesearch- cloudscheduler cloudshell- cloudtasks cloudtrace composer config configdelivery- "
     "connectgateway- container containeranalysis- datacatalog dataflow datafusion datamigration datapipelines "
     "dataplex datapol- dataproc dataprocgdc- datastore datastream deploymentmanager designcenter- developerconnect "
     "discovery- dns domains edgecontainer edgenetwork- eventarc eventarcpublishing faultinjectiontesting file "
     "firebasedataconnect firestore geminicloudassist- genomics gkebackup- gkehub- gkemulticloud gkeonprem- "
     "gkerecommender- healthcare iam ids krmapihosting kubernetespolicy- language lifesciences logging looker "
     "lustre- managedflink- managedidentities managedkafka- manager- marketplacesolutions mediaasset memcache "
     "memorystore- messagestreams- metastore ml- modelarmor- monitoring netapp networkconnectivity networkmanagement "
     "networksecurity networkservices notebooks observability ondemandscanning- oracledatabase- orglifecycle- "
     "orgpolicy osconfig- parallelstore- parametermanager- policyanalyzer policysimulator- policytroubleshooter- "
     "privateca privilegedaccessmanager publicca pubsub pubsublite- recaptchaenterprise recommender redis "
     "remotebuildexecution- replicapoolupdater- run runapps- runtimeconfig saasservicemgmt- sasportal- sddc seclm- "
     "secretmanager securesourcemanager- securitycenter securitycentermanagement- securityposture- servicedirectory "
     "servicemanagement serviceregistry- source- sourcerepo spanner speech sql storagebatchoperations- "
     "storageinsights- stream- telcoautomation- testing toolresults- transcoder- transfer transferappliance vision "
     "vmmigration vmwareengine vpcaccess- workflowexecutions workflows workloadcertificate- workstations"},
    {"app",
     "cloud_build_timeout container_builder_image-=gcr.io/cloud-builders/docker num_file_upload_threads- "
     "promote_by_default?=True runtime_builders_root-=gs://runtime-builders/ runtime_root- "
     "stop_previous_version?=True trigger_build_server_side?- use_appengine_api?-=True use_flex_with_buildpacks?- "
     "use_runtime_builders"},
    {"artifacts",
     "allow_unrecognized_registry?-=False domain-=pkg.dev gcr_host-=gcr.io location "
     "max_notes_per_batch_request-=1000 registry_endpoint_prefix- repository"},
    {"auth",
     "auth_host-=https://accounts.google.com/o/oauth2/auth authority_selector- authorization_token_file- "
     "disable_code_verifier?-=False disable_load_google_auth?-=False login_config_file "
     "mtls_token_host-=https://oauth2.mtls.googleapis.com/token opt_out_google_auth?-=False "
     "reauth_use_google_auth?-=True service_account_disable_id_token_refresh?=False token_introspection_endpoint-"},
    {"batch", "location"},
    {"builds",
     "check_tag?-=True kaniko_cache_ttl=6 kaniko_image-=gcr.io/kaniko-project/executor:latest region timeout "
     "use_kaniko?=False"},
    {"code", "minikube_event_timeout-=90s minikube_path_override- skaffold_path_override-"},
    {"colab", "region"},
    {"component_manager",
     "additional_repositories disable_update_check? disable_warning?- fixed_sdk_version- "
     "original_snapshot_url-=https://dl.google.com/dl/cloudsdk/channels/rapid/components-2.json snapshot_url-"},
    {"composer", "location"},
    {"compute",
     "allow_partial_error?-=True force_batch_request?-=False gce_metadata_check_timeout_sec-=3 "
     "gce_metadata_read_timeout_sec-=20 iap_tunnel_use_new_websocket?-=False image_family_scope "
     "use_new_list_usable_subnets_api?=False"},
    {"config_delivery", "location-"},
    {"container",
     "build_check_tag?-=True build_timeout cluster use_application_default_credentials?=False "
     "use_client_certificate?=False"},
    {"container_attached", "location"},
    {"container_aws", "location"},
    {"container_azure", "location"},
    {"container_bare_metal", "location"},
    {"container_vmware", "location"},
    {"context_aware", "always_use_mtls_endpoint?-=False auto_discovery_file_path- certificate_config_file_path-"},
    {"core",
     "api_key- color_theme-=off console_log_format=standard credentialed_hosted_repo_domains- "
     "default_regional_backend_service? disable_collection_path_deprecation_warning?- disable_command_lazy_loading?- "
     "disable_file_logging?=False disable_usage_reporting? enable_feature_flags?=True enable_gri?-=False lint-=none "
     "log_http_streaming_body?-=False max_log_days=30 parse_error_details=True pass_credentials_to_gsutil?=True "
     "print_completion_tracebacks?- print_handled_tracebacks?- print_unhandled_tracebacks?- project_number- "
     "resource_completion_style-=flags should_prompt_to_enable_api?-=True show_structured_logs=never "
     "use_legacy_flattened_format?-=False"},
    {"dataflow", "disable_public_ips?=False enable_streaming_engine?=False print_only?=False"},
    {"datafusion", "location"},
    {"datapipelines", "disable_public_ips?=False enable_streaming_engine?=False"},
    {"dataplex", "asset lake location zone"},
    {"dataproc", "location region"},
    {"deploy", "delivery_pipeline region"},
    {"deployment_manager", "glob_imports?=False"},
    {"devshell", "image-=gcr.io/dev_con/cloud-dev-common:prod metadata_image-=gcr.io/google_appengine/faux-metadata:latest"},
    {"diagnostics", "hidden_property_allowlist-"},
    {"edge_container", "location-"},
    {"emulator",
     "bigtable_host_port-=localhost:8086 datastore_data_dir- datastore_host_port-=localhost:8081 pubsub_data_dir- "
     "pubsub_host_port-=localhost:8085"},
    {"eventarc", "location"},
    {"filestore", "location region zone"},
    {"functions", "gen2?=False region=us-central1 v2?-=False"},
    {"gcloudignore", "enabled?=True"},
    {"gkebackup", "backup=- backup_plan=- location=- restore=- restore_plan=-"},
    {"healthcare", "dataset location=us-central1"},
    {"infra-manager", "location-"},
    {"interactive",
     "bottom_bindings_line?=True bottom_status_line?=False completion_menu_lines=4 context debug?-=False "
     "fixed_prompt_position=False help_lines=10 hidden?=False justify_bottom_lines?=False manpage_generator=True "
     "multi_column_completion_menu?=False obfuscate?-=False prompt show_help?=True suggest?=False"},
    {"kuberun", "cluster- cluster_location- context- enable_experimental_commands?- environment- kubeconfig- use_kubeconfig?-"},
    {"lifesciences", "location=us-central1"},
    {"looker", "region"},
    {"lustre", "location"},
    {"media_asset", "location=us-central1"},
    {"memcache", "region"},
    {"metastore", "location tier"},
    {"metrics", "command_name- environment- environment_version-"},
    {"ml_engine", "local_python polling_interval=60"},
    {"mps", "product"},
    {"netapp", "location"},
    {"notebooks", "location"},
    {"privateca", "location"},
    {"proxy", "use_urllib3_via_shim?-=False"},
    {"pubsub", "legacy_output?-=False"},
    {"redis", "region"},
    {"resource_policy", "org_restriction_header-"},
    {"run", "cluster cluster_location namespace- platform=managed region"},
    {"runapps", "deployment_service_account experimental_integrations?-=False"},
    {"scc", "organization parent"},
    {"secrets", "locations replication-policy"},
    {"spanner", "instance"},
    {"ssh", "putty_force_connect?=True verify_internal_ip?=True"},
    {"storage",
     "additional_headers base_retry_delay=1 check_hashes=if_fast_else_fail check_mv_early_deletion_fee?=True "
     "convert_incompatible_windows_path_characters?=True copy_chunk_size=100Mi download_chunk_size=256Ki "
     "enable_task_graph_debugging?-=False exponential_sleep_multiplier=2 gs_xml_access_key_id- "
     "gs_xml_endpoint_url-=https://storage.googleapis.com gs_xml_secret_access_key- json_api_version-=v1 "
     "key_store_path max_retries=23 max_retry_delay=32 multipart_chunksize=8Mi multipart_threshold=8Mi "
     "parallel_composite_upload_compatibility_check?=True parallel_composite_upload_component_prefix "
     "parallel_composite_upload_component_size=50M parallel_composite_upload_enabled "
     "parallel_composite_upload_threshold=150M preferred_api-=json process_count resumable_threshold=8Mi "
     "rsync_files_directory rsync_list_chunk_size=32000 run_by_gsutil_shim?- s3_endpoint_url "
     "sliced_object_download_component_size sliced_object_download_max_components sliced_object_download_threshold "
     "suggest_transfer?=True symlink_placeholder_directory- task_graph_debugging_snapshot_duration-=1 thread_count "
     "tracker_files_directory upload_chunk_size=100Mi use_gcloud_crc32c? use_grpc_if_available?-=False "
     "use_gsutil?=False use_gsutil_rsync_delete_unmatched_destination_objects_behavior?-=False use_magicfile?=False "
     "use_threading_local?=True use_url_based_rsync_sorting?-=False"},
    {"survey", "disable_prompts?=False"},
    {"test", "feature_flag- matrix_status_interval- results_base_url-"},
    {"transcoder", "location-"},
    {"transport", "disable_requests_override?-=False opt_out_requests?-=False"},
    {"vmware", "node-type-=c1-highmem-72-metal region=us-central1"},
    {"web3", "location-=us-central1"},
    {"workflows", "location-=us-central1"},
    {"workstations", "cluster config region"},
};
// clang-format on

Property described(std::string_view section, std::string_view word) {
  Property row{.section = section, .name = {}, .help = "gcloud's; not used here.", .foreign = true};
  if (const auto equals = word.find('='); equals != std::string_view::npos) {
    row.fallback = word.substr(equals + 1);
    word = word.substr(0, equals);
  }
  row.hidden = word.ends_with('-');
  if (row.hidden) word.remove_suffix(1);
  row.boolean = word.ends_with('?');
  if (row.boolean) word.remove_suffix(1);
  row.name = word;
  return row;
}

std::vector<Property> gather() {
  std::vector<Property> rows(properties().begin(), properties().end());
  for (const Section& section : kSections) {
    for (std::string_view rest = section.properties; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      rows.push_back(described(section.name, word));
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Property& a, const Property& b) {
    return a.section != b.section ? a.section < b.section : a.name < b.name;
  });
  return rows;
}

}  // namespace

const std::vector<Property>& all_properties() {
  static const std::vector<Property> kAll = gather();
  return kAll;
}

}  // namespace tpuctl::cli

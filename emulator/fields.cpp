// SPDX-License-Identifier: Apache-2.0
// What the discovery documents of the Cloud TPU API say about messages, enums and query parameters. A row for v2alpha1
// adds to the row for both; a message that differs in more than additions has a row per version.
//
// Field types: s string, b boolean, i integer, d number, m map of strings, t timestamp, D duration, o any object,
// e:ENUM, or a message. '*' before: repeated. '!' after: output only (read, then forgotten).
#include "emulator/schema.hpp"

namespace tpuctl::emulator {

const MessageRow kMessages[] = {
    {"Node", Since::both,
     "acceleratorConfig:AcceleratorConfig acceleratorType:s apiVersion:e:ApiVersion! cidrBlock:s createTime:t! "
     "dataDisks:*AttachedDisk description:s health:e:Health healthDescription:s! id:i! labels:m metadata:m "
     "multisliceNode:b! name:s! networkConfig:NetworkConfig networkConfigs:*NetworkConfig "
     "networkEndpoints:*NetworkEndpoint! queuedResource:s! runtimeVersion:s schedulingConfig:SchedulingConfig "
     "serviceAccount:ServiceAccount shieldedInstanceConfig:ShieldedInstanceConfig state:e:NodeState! "
     "symptoms:*Symptom! tags:*s upcomingMaintenance:UpcomingMaintenance!"},
    {"Node", Since::alpha, "autocheckpointEnabled:b bootDiskConfig:BootDiskConfig"},
    {"AcceleratorConfig", Since::both, "topology:s type:e:AcceleratorKind"},
    {"AttachedDisk", Since::both, "mode:e:DiskMode sourceDisk:s"},
    {"AttachedDisk", Since::alpha, "workerIds:*s"},
    {"NetworkConfig", Since::both, "canIpForward:b enableExternalIps:b network:s queueCount:i subnetwork:s"},
    {"NetworkEndpoint", Since::both, "accessConfig:AccessConfig ipAddress:s port:i"},
    {"AccessConfig", Since::both, "externalIp:s"},
    {"SchedulingConfig", Since::both, "preemptible:b reserved:b spot:b"},
    {"SchedulingConfig", Since::alpha,
     "provisioningModel:e:NodeProvisioningModel reservationName:s terminationTimestamp:t!"},
    {"ServiceAccount", Since::both, "email:s scope:*s"},
    {"ShieldedInstanceConfig", Since::both, "enableSecureBoot:b"},
    {"BootDiskConfig", Since::alpha,
     "customerEncryptionKey:CustomerEncryptionKey diskSizeGb:i enableConfidentialCompute:b provisionedIops:i "
     "provisionedThroughput:i sourceImage:s"},
    {"CustomerEncryptionKey", Since::alpha, "kmsKeyName:s"},
    {"Symptom", Since::both, "createTime:t details:s symptomType:e:SymptomType workerId:s"},
    {"UpcomingMaintenance", Since::both,
     "canReschedule:b latestWindowStartTime:s maintenanceStatus:e:MaintenanceStatus type:e:MaintenanceType "
     "windowEndTime:s windowStartTime:s"},
    {"QueuedResource", Since::both,
     "createTime:t! guaranteed:Guaranteed name:s! queueingPolicy:QueueingPolicy reservationName:s spot:Empty "
     "state:o! tpu:Tpu"},
    {"QueuedResource", Since::alpha,
     "bestEffort:Empty provisioningModel:e:ProvisioningModel runDuration:RunDuration trafficConfig:TrafficConfig"},
    {"Guaranteed", Since::both, "minDuration:D"},
    {"Guaranteed", Since::alpha, "reserved:b"},
    {"QueueingPolicy", Since::both,
     "validAfterDuration:D validAfterTime:t validInterval:Interval validUntilDuration:D validUntilTime:t"},
    {"Interval", Since::both, "endTime:t startTime:t"},
    {"RunDuration", Since::alpha, "maxRunDuration:D terminationTime:t"},
    {"TrafficConfig", Since::alpha, "anticipatedTrafficMatrix:o"},
    {"Tpu", Since::both, "nodeSpec:*NodeSpec"},
    {"NodeSpec", Since::both, "node:Node nodeId:s parent:s"},
    {"NodeSpec", Since::ga, "multisliceParams:MultisliceParams"},
    {"NodeSpec", Since::alpha, "multiNodeParams:MultiNodeParams"},
    {"MultisliceParams", Since::ga, "nodeCount:i nodeIdPrefix:s"},
    {"MultiNodeParams", Since::alpha, "nodeCount:i nodeIdPrefix:s workloadType:e:WorkloadType"},
    {"Empty", Since::both, ""},
    {"GetGuestAttributesRequest", Since::both, "queryPath:s workerIds:*s"},
    {"SimulateMaintenanceEventRequest", Since::alpha, "workerIds:*s"},
    {"PerformMaintenanceQueuedResourceRequest", Since::alpha, "nodeNames:*s"},
};
const std::size_t kMessageCount = std::size(kMessages);

const EnumRow kEnums[] = {
    {"ApiVersion", Since::both, "API_VERSION_UNSPECIFIED V1_ALPHA1 V1 V2_ALPHA1 V2"},
    {"Health", Since::both, "HEALTH_UNSPECIFIED HEALTHY TIMEOUT UNHEALTHY_TENSORFLOW UNHEALTHY_MAINTENANCE"},
    {"NodeState", Since::both,
     "STATE_UNSPECIFIED CREATING READY RESTARTING REIMAGING DELETING REPAIRING STOPPED STOPPING STARTING PREEMPTED "
     "TERMINATED HIDING HIDDEN UNHIDING UNKNOWN"},
    {"AcceleratorKind", Since::both, "TYPE_UNSPECIFIED V2 V3 V4 V5LITE_POD V5P V6E"},
    {"AcceleratorKind", Since::alpha, "TPU7X V6EA"},
    {"DiskMode", Since::both, "DISK_MODE_UNSPECIFIED READ_WRITE READ_ONLY"},
    {"NodeProvisioningModel", Since::alpha, "PROVISIONING_MODEL_UNSPECIFIED STANDARD SPOT RESERVATION_BOUND"},
    {"ProvisioningModel", Since::alpha, "PROVISIONING_MODEL_UNSPECIFIED STANDARD SPOT RESERVATION_BOUND FLEX_START"},
    {"SymptomType", Since::both,
     "SYMPTOM_TYPE_UNSPECIFIED LOW_MEMORY OUT_OF_MEMORY EXECUTE_TIMED_OUT MESH_BUILD_FAIL HBM_OUT_OF_MEMORY "
     "PROJECT_ABUSE"},
    {"MaintenanceStatus", Since::both, "UNKNOWN PENDING ONGOING"},
    {"MaintenanceType", Since::both, "UNKNOWN_TYPE SCHEDULED UNSCHEDULED"},
    {"WorkloadType", Since::alpha, "WORKLOAD_TYPE_UNSPECIFIED THROUGHPUT_OPTIMIZED AVAILABILITY_OPTIMIZED"},
};
const std::size_t kEnumCount = std::size(kEnums);

// Every method takes these.
const char* const kAnyQuery =
    "alt prettyPrint fields key access_token oauth_token quotaUser callback trace uploadType upload_protocol $.xgafv";

const QueryRow kQueries[] = {
    {"list locations", Since::both, "pageSize pageToken filter extraLocationTypes"},
    {"list nodes", Since::both, "pageSize pageToken"},
    {"list queuedResources", Since::both, "pageSize pageToken"},
    {"list reservations", Since::alpha, "pageSize pageToken"},
    {"list operations", Since::both, "pageSize pageToken filter"},
    {"list acceleratorTypes", Since::both, "pageSize pageToken filter orderBy"},
    {"list runtimeVersions", Since::both, "pageSize pageToken filter orderBy"},
    {"list tensorflowVersions", Since::both, "pageSize pageToken filter orderBy"},
    {"create nodes", Since::both, "nodeId"},
    {"create nodes", Since::alpha, "requestId"},
    {"delete nodes", Since::alpha, "requestId"},
    {"patch nodes", Since::both, "updateMask"},
    {"create queuedResources", Since::both, "queuedResourceId requestId"},
    {"delete queuedResources", Since::both, "force requestId"},
};
const std::size_t kQueryCount = std::size(kQueries);

}  // namespace tpuctl::emulator

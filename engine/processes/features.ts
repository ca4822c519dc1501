/** What this engine says it offers; what it refuses is among it where the SDK would advise to update Pulumi instead. */
import { resourceMessages } from "./wire.ts";

const {
  RESOURCE_MONITOR_FEATURE_ALIAS_SPECS: aliasSpecs,
  RESOURCE_MONITOR_FEATURE_DELETED_WITH: deletedWith,
  RESOURCE_MONITOR_FEATURE_ERROR_HOOKS: errorHooks,
  RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS: invokeTransforms,
  RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES: outputValues,
  RESOURCE_MONITOR_FEATURE_REPLACE_WITH: replaceWith,
  RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS: resourceHooks,
  RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES: resourceReferences,
  RESOURCE_MONITOR_FEATURE_SECRETS: secrets,
  RESOURCE_MONITOR_FEATURE_STATE_MIGRATIONS: stateMigrations,
  RESOURCE_MONITOR_FEATURE_TRANSFORMS: transforms,
} = resourceMessages.ResourceMonitorFeature;

/** By the names that older releases of the SDK ask for, one after the other. */
export const features: Readonly<Record<string, number>> = {
  secrets,
  resourceReferences,
  outputValues,
  aliasSpecs,
  deletedWith,
  replaceWith,
  transforms,
  invokeTransforms,
  resourceHooks,
  errorHooks,
  stateMigrations,
};

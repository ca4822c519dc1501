/**
 * The features that this engine reports to the SDK. Unsupported ones are included if the SDK would otherwise advise to
 * update Pulumi.
 */
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

/** By the names that older releases of the SDK use, which ask for one at a time. */
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

/** The program's hooks, called: each with one message of the protocol. */
import type { ErrorHook, Hook, HookArguments, HookNames } from "../values/hook.ts";
import type { Properties } from "../values/values.ts";
import type { Callbacks } from "./callbacks.ts";
import { resourceMessages, type Struct, toStruct } from "./wire.ts";

type HookRequest = InstanceType<typeof resourceMessages.RegisterResourceHookRequest>;
type ErrorHookRequest = InstanceType<typeof resourceMessages.RegisterErrorHookRequest>;
type Binding = InstanceType<typeof resourceMessages.RegisterResourceRequest.ResourceHooksBinding>;

/** What both kinds of messages hold. */
interface Message {
  setUrn(urn: string): unknown;
  setId(id: string): unknown;
  setName(name: string): unknown;
  setType(type: string): unknown;
  setNewInputs(values?: Struct): unknown;
  setOldInputs(values?: Struct): unknown;
  setOldOutputs(values?: Struct): unknown;
}

const struct = (values: Properties | undefined): Struct | undefined => values && toStruct(values);

function fill(
  message: Message,
  { urn, id, name, type, newInputs, oldInputs, oldOutputs }: HookArguments,
): void {
  message.setUrn(urn);
  message.setId(id);
  message.setName(name);
  message.setType(type);
  message.setNewInputs(struct(newInputs));
  message.setOldInputs(struct(oldInputs));
  message.setOldOutputs(struct(oldOutputs));
}

export function hookOf(callbacks: Callbacks, request: HookRequest): Hook {
  const callback = callbackIn(request);
  return {
    name: request.getName(),
    onDryRun: request.getOnDryRun(),
    ignoreErrors: request.getIgnoreErrors(),
    async call(told) {
      const message = new resourceMessages.ResourceHookRequest();
      fill(message as never, told);
      message.setNewOutputs(struct(told.newOutputs) as never);
      const answer = resourceMessages.ResourceHookResponse.deserializeBinary(
        await callbacks.call(callback, message.serializeBinary()),
      );
      if (answer.getError() !== "") throw new Error(answer.getError());
    },
  };
}

export function errorHookOf(callbacks: Callbacks, request: ErrorHookRequest): ErrorHook {
  const callback = callbackIn(request);
  return {
    name: request.getName(),
    async call(told) {
      const message = new resourceMessages.ErrorHookRequest();
      fill(message as never, told);
      message.setFailedOperation(told.operation);
      message.setErrorsList([...told.errors]);
      const answer = resourceMessages.ErrorHookResponse.deserializeBinary(
        await callbacks.call(callback, message.serializeBinary()),
      );
      if (answer.getError() !== "") throw new Error(answer.getError());
      return answer.getRetry();
    },
  };
}

function callbackIn(request: HookRequest | ErrorHookRequest) {
  const callback = request.getCallback();
  if (callback === undefined) throw new Error(`the hook ${request.getName()} has no function`);
  return callback;
}

/** The names of hooks that a resource is bound to. */
export function hookNames(binding: Binding | undefined): HookNames {
  if (binding === undefined) return {};
  const all: HookNames = {
    BeforeCreate: binding.getBeforeCreateList(),
    AfterCreate: binding.getAfterCreateList(),
    BeforeUpdate: binding.getBeforeUpdateList(),
    AfterUpdate: binding.getAfterUpdateList(),
    BeforeDelete: binding.getBeforeDeleteList(),
    AfterDelete: binding.getAfterDeleteList(),
    OnError: binding.getOnErrorList(),
  };
  return Object.fromEntries(Object.entries(all).filter(([, names]) => names.length > 0));
}

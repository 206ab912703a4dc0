import { type ResourceName, resources } from '../validators.ts';

/**
 * Validates a response against the API's own description before it is published.
 *
 * @param path of the URL, for the message
 * @throws Error when the response is not as described: a fault of the build, which then publishes nothing
 */
export function checkDescribed(name: ResourceName, path: string, response: unknown): void {
  const validate = resources[name];
  if (validate(response)) return;
  const [first] = validate.errors ?? [];
  throw new Error(
    `The response to /${path} is not the ${name} that the API describes: ${first?.instancePath} ${first?.message}.`,
  );
}

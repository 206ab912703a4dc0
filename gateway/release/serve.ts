import type { Request } from 'express';
import { anyOrigin, cacheControl } from '../../build/release/headers.ts';
import { type GatewayResponse, refuse, type Step } from '../http.ts';
import { type Bodies, MissingFile } from './bodies.ts';
import type { CurrentRelease } from './current-release.ts';
import type { Release } from './release.ts';
import { sendResource } from './send.ts';

const missingPublic = { 'Cache-Control': cacheControl.missing, ...anyOrigin };

/** Answers what needs no key; hands protected targets on. */
export function servePublic(releases: CurrentRelease, bodies: Bodies): Step {
  const serve = answerFrom(releases, bodies, missingPublic);
  return (request, response, next) => {
    const { kind } = response.locals.target;
    return kind === 'file' || kind === 'diagram' ? next() : serve(request, response, next);
  };
}

/** Answers what needs a key. Who reaches this step has one. */
export function serveProtected(releases: CurrentRelease, bodies: Bodies): Step {
  return answerFrom(releases, bodies);
}

/** Answers from the current release; where a file of it is gone, from the one that has taken its place. */
function answerFrom(
  releases: CurrentRelease,
  bodies: Bodies,
  missing?: Readonly<Record<string, string>>,
): Step {
  function answer(release: Release, request: Request, response: GatewayResponse): Promise<void> | void {
    const found = release.find(response.locals.target);
    if (typeof found === 'string') return refuse(response, found, missing);
    return sendResource(request, response, found, bodies);
  }

  return (request, response) => {
    const { current } = releases;
    return answer(current, request, response)?.catch(async (error: unknown) => {
      if (!(error instanceof MissingFile)) throw error;
      await releases.lookInTime();
      if (releases.current === current) throw error;
      return answer(releases.current, request, response);
    });
  };
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { defaultPlans } from '../../../build/release/plans.ts';
import type { GatewayResponse } from '../../../gateway/http.ts';
import { limitRequests } from '../../../gateway/limits/limit-requests.ts';
import type { LimitStore } from '../../../gateway/limits/store.ts';

/** A gateway's limits around a store of which every answer is a fault. */
function failingAt(take: LimitStore['take']) {
  const step = limitRequests(defaultPlans, { take, close: async () => {} });
  const tell: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    response.status(500).send(error.message);
  };
  return express()
    .use((asked, response, next) => {
      Object.assign(response.locals, { key: { account: 'acc_1', plan: 'free' }, fields: [] });
      return step(asked, response as unknown as GatewayResponse, next);
    })
    .use((_request, response) => void response.send('let on'))
    .use(tell);
}

describe('A request whose limits cannot be decided on', () => {
  const fault = new Error('no answer that anyone expects');
  for (const [when, take] of [
    ['at once', () => assert.fail(fault)],
    ['later', () => Promise.reject(fault)],
  ] as const) {
    it(`fails with what went wrong ${when}, and is not let on`, async () => {
      const { status, text } = await request(failingAt(take)).get('/');
      assert.deepEqual([status, text], [500, fault.message]);
    });
  }
});

/** Fastify with its own plugins for bearer keys, limits and static files. */
import bearerAuth from '@fastify/bearer-auth';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';
import { folder, host, key, limits, port, ready } from './settings.js';

const fastify = Fastify();
await fastify.register(bearerAuth, { keys: new Set([key]) });
await fastify.register(rateLimit, {
  timeWindow: 1000,
  max: limits.perSecond,
  keyGenerator: ({ headers }) => headers.authorization,
});
await fastify.register(fastifyStatic, { root: folder, preCompressed: true, cacheControl: false });
await fastify.listen({ port, host });
ready();

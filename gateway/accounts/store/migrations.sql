-- Statements that both engines accept, run in the order of their names. A released migration never changes. The last four
-- tables of `2026-11-21-people` are those of better-auth 1.7: SQLite accepts its dates and booleans as they are.

-- migration 2026-11-21-accounts-keys-usage
create table accounts (
  id text primary key, name text not null unique, plan text not null, "createdAt" bigint not null);
create table keys (
  id text primary key, "accountId" text not null references accounts (id), hash text not null unique,
  start text not null, "createdAt" bigint not null, "expiresAt" bigint, "revokedAt" bigint);
create index "keysOfAccount" on keys ("accountId");
create table usage (
  account text not null, month text not null, used bigint not null,
  constraint "usageOfMonth" primary key (account, month));

-- migration 2026-11-21-people
alter table accounts add column "userId" text;
alter table accounts add column "blockedAt" bigint;
create unique index "accountOfUser" on accounts ("userId");
alter table keys add column name text not null default '';
alter table keys add column "lastUsedAt" bigint;
alter table keys add column "replacedBy" text;
create table "dailyUsage" (
  account text not null, day text not null, used bigint not null,
  constraint "usageOfDay" primary key (account, day));
create table "usageBatches" (id text primary key, at bigint not null);
create index "usageBatchesByAge" on "usageBatches" (at);
create table users (
  id text primary key, name text not null, email text not null unique, "emailVerified" boolean not null, image text,
  "createdAt" timestamptz not null, "updatedAt" timestamptz not null);
create table sessions (
  id text primary key, "userId" text not null references users (id) on delete cascade, token text not null unique,
  "expiresAt" timestamptz not null, "ipAddress" text, "userAgent" text, "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null);
create index "sessionsByEnd" on sessions ("expiresAt");
create index "sessionsOfUser" on sessions ("userId");
create table logins (
  id text primary key, "userId" text not null references users (id) on delete cascade, "providerId" text not null,
  "accountId" text not null, password text, "accessToken" text, "refreshToken" text, "idToken" text,
  "accessTokenExpiresAt" timestamptz, "refreshTokenExpiresAt" timestamptz, scope text,
  "createdAt" timestamptz not null, "updatedAt" timestamptz not null);
create index "loginsOfUser" on logins ("userId");
create table verifications (
  id text primary key, identifier text not null, value text not null, "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null, "updatedAt" timestamptz not null);
create index "verificationsByIdentifier" on verifications (identifier);

-- migration 2026-11-23-attempts
create table attempts (id text primary key, count bigint not null, "endsAt" bigint not null);
create index "attemptsByEnd" on attempts ("endsAt");

-- migration 2026-11-23-usage-by-key
create table "keyUsage" (
  account text not null, day text not null, key text not null, used bigint not null,
  "rejectedByRate" bigint not null, "rejectedByQuota" bigint not null,
  constraint "usageOfKey" primary key (account, day, key));

-- migration 2026-11-25-usage-of-no-key
insert into "keyUsage" select account, day, '', used, 0, 0 from "dailyUsage" where true
  on conflict (account, day, key) do update set used = "keyUsage".used + excluded.used;
drop table "dailyUsage";

-- migration 2026-11-26-quota-mails
alter table accounts add column "quotaMail" integer not null default 0;
alter table accounts add column "quotaMailMonth" text;

-- migration 2026-11-28-former-accounts
create table "formerAccounts" (id text primary key, account text not null, "endsAt" bigint not null);

-- migration 2026-11-28-keys-by-end
create index "keysOfAccountByEnd" on keys
  ("accountId", (coalesce("revokedAt", "expiresAt", 9007199254740991)), id);
drop index "keysOfAccount";

-- migration 2026-11-29-expiry-mails
drop table attempts;
alter table keys add column "expiryMailAt" bigint;

-- migration 2026-11-30-accounts-by-address
drop table "formerAccounts";

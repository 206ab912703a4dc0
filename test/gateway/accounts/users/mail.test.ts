import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'libsql';
import { changeAccount, requireAccount } from '../../../../gateway/accounts/accounts.ts';
import { sendWarnings } from '../../../../gateway/accounts/mail.ts';
import { openUsageReader, storedUsage } from '../../../../gateway/accounts/usage.ts';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy } from '../set-ups.ts';
import { openMailbox } from './mailbox.ts';
import { type NewUser, newUser, Visitor, visibleParts } from './visitor.ts';

const afterSignUp = { callbackURL: '/dashboard/' };

describe('With mail', async () => {
  const mailbox = await openMailbox();
  after(mailbox.close);
  const settings = { ...behindProxy, SMTP_URL: mailbox.url };
  const running = await runGateway(settings);
  after(running.close);
  const { authUrl } = running;
  const { origin } = new URL(authUrl);
  const visitor = () => new Visitor(authUrl);

  async function signUpConfirmed(): Promise<NewUser> {
    const user = newUser();
    await visitor().signUp(user, afterSignUp);
    await visitor().get((await mailbox.next(user.email)).link);
    return user;
  }
  const askForReset = (email: string) => visitor().post('request-password-reset', { email });
  const setPassword = (token: string, newPassword: string) =>
    visitor().post('reset-password', { token, newPassword });
  const tokenOf = (link: string) => /[?#]token=([^&]+)/.exec(link)?.[1] ?? '';
  const mailsTo = (address: string) => mailbox.mails.filter(({ to }) => to === address).length;

  it('confirms a sign-up by a link, which does not sign in, and is sent again after the right password', async () => {
    const user = newUser();
    const ada = visitor();
    assert.equal((await ada.signUp(user, afterSignUp)).status, 200);
    const { subject, from, link } = await mailbox.next(user.email);
    assert.deepEqual([subject, from], ['Confirm your address', 'Pastpaper <no-reply@localhost>']);
    assert.ok(link.startsWith(`${origin}/auth/verify-email?token=`), link);
    assert.equal((await visitor().signIn({ ...user, password: 'not the right one' })).status, 401);
    const before = await ada.signIn(user);
    const error =
      'Invalid email or password. If you have just signed up, first open the link in our email.';
    assert.deepEqual([before.status, before.body], [401, { error }]);
    await mailbox.next(user.email);
    const followed = await ada.get(link);
    assert.deepEqual([followed.status, followed.headers.get('location')], [302, '/dashboard/']);
    // Whoever opens the link may not be the one who chose the password.
    assert.equal((await ada.get('account')).status, 401);
    assert.equal((await visitor().signIn(user)).status, 200);
    assert.equal(mailsTo(user.email), 0);
  });

  it('never redirects a link to another host', async () => {
    const user = newUser();
    assert.equal((await visitor().signUp(user, { callbackURL: '//evil.example' })).status, 403);
    await visitor().signUp(user, afterSignUp);
    const token = tokenOf((await mailbox.next(user.email)).link);
    for (const callbackURL of [
      'https://evil.example/',
      '/..//evil.example',
      '/%2e%2e//evil.example',
    ]) {
      const query = new URLSearchParams({ token, callbackURL });
      const { headers } = await visitor().get(`verify-email?${query}`);
      assert.match(headers.get('location') ?? '', /^\/dashboard\/sign-in\/(\?error=.*)?$/);
    }
  });

  it('responds to a second sign-up, and a sign-in, as to the first, and only notifies the owner', async () => {
    const owner = await signUpConfirmed();
    const responses: unknown[] = [];
    for (const stranger of [{ ...owner, password: 'a phrase of a stranger' }, newUser()]) {
      const signUp = await visitor().signUp(stranger, afterSignUp);
      const signIn = await visitor().signIn(stranger);
      assert.equal(signIn.status, 401);
      responses.push([visibleParts(signUp), visibleParts(signIn)]);
    }
    assert.deepEqual(responses[0], responses[1]);
    const { subject, link } = await mailbox.next(owner.email);
    assert.equal(`${subject} ${link}`, `You already have an account ${origin}/dashboard/sign-in/`);
    assert.equal((await visitor().signIn(owner)).status, 200);
  });

  it('sends a reset link only to an address with an account, and does not reveal which', async () => {
    const user = await signUpConfirmed();
    const unknownEmail = newUser().email;
    const [unknown, known] = [
      await askForReset(unknownEmail),
      await askForReset(user.email.toUpperCase()),
    ];
    assert.deepEqual([known.status, known.text], [200, '{}']);
    assert.deepEqual(visibleParts(unknown), visibleParts(known));
    const { subject, link } = await mailbox.next(user.email);
    assert.equal(subject, 'Set a new password');
    assert.ok(link.startsWith(origin));
    assert.match(link.slice(origin.length), /^\/dashboard\/reset-password\/#token=\w{24}$/);
    assert.equal(mailsTo(unknownEmail), 0);
  });

  const { kind } = running.config.database;
  it('reads nothing about an address before its reset is responded to, and logs no invalid one', {
    skip: kind !== 'sqlite',
  }, async () => {
    const { databaseUrl, logged } = running;
    const { email } = await signUpConfirmed();
    const ada = visitor();
    const before = logged.length;
    const ask = async () => {
      for (const each of [email, 'a..b@example.org']) {
        assert.equal((await ada.post('request-password-reset', { email: each })).status, 200);
      }
    };
    // The counts of these attempts are in memory from now on.
    await ask();
    await mailbox.next(email);
    const lock = new Sqlite(databaseUrl.slice('file:'.length));
    for (let isLocked = false; !isLocked; ) {
      try {
        lock.exec('begin exclusive');
        isLocked = true;
      } catch {
        // Counts are on their way to the database.
        await nextTurn();
      }
    }
    await ask().finally(() => lock.close());
    await mailbox.next(email);
    assert.deepEqual(logged.slice(before), []);
  });

  it('sets a new password once, and ends the old one, its sessions and older links', async () => {
    const user = await signUpConfirmed();
    const ada = visitor();
    await ada.signIn(user);
    await askForReset(user.email);
    const older = tokenOf((await mailbox.next(user.email)).link);
    await askForReset(user.email);
    const token = tokenOf((await mailbox.next(user.email)).link);
    const fresh = { ...user, password: 'a fresh phrase of words' };
    assert.equal((await setPassword(token, fresh.password)).status, 200);
    assert.equal((await ada.get('account')).status, 401);
    assert.equal((await visitor().signIn(user)).status, 401);
    for (const used of [token, older]) {
      const { status, body } = await setPassword(used, 'and another phrase of words');
      assert.deepEqual([status, body], [400, { error: 'Invalid token' }]);
    }
    assert.equal((await visitor().signIn(fresh)).status, 200);
    await changeAccount(running.database, user.email, { blockedAt: running.system.now() });
    await askForReset(user.email);
    await setPassword(tokenOf((await mailbox.next(user.email)).link), user.password);
    assert.equal((await visitor().signIn(user)).status, 403, 'a new password does not unblock');
  });

  it('sends at most five mails an hour to one address, whatever causes them', async () => {
    const user = newUser();
    await visitor().signUp(user, afterSignUp);
    for (let time = 0; time < 3; time += 1) await visitor().signIn(user);
    const statuses: number[] = [];
    for (let asked = 0; asked < 5; asked += 1)
      statuses.push((await askForReset(user.email)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 429], 'the sign-up is one of five requests');
    for (let sent = 0; sent < 5; sent += 1) await mailbox.next(user.email);
    const notSent =
      'An email was not sent, because its address received too many in the last hour. ';
    await running.untilLogged((lines) => lines.filter((line) => line === notSent).length === 3);
    assert.equal(mailsTo(user.email), 0);
    await running.pass(3_600_000);
    await visitor().signIn(user);
    await mailbox.next(user.email);
  });

  it('sends an email, by one of two processes, once about each key that expires in 7 days, and once a month to whoever wants it and has used 80 % of the quota', async (t) => {
    const { database, config, system } = running;
    const { usage, close } = await openUsageReader(config, storedUsage(database), assert.fail);
    t.after(close);
    const sent: string[] = [];
    const check = () =>
      sendWarnings({
        ...{ plans: config.plans, database, usage, origin, clock: system },
        sendMail: async (kind, to, _link, values) => {
          sent.push(`${kind} ${to} ${values?.['key'] ?? ''}`);
        },
        isClosing: () => false,
      });
    const users: string[] = [];
    for (const used of [800, 799, 800]) {
      const quotaMail = users.length < 2;
      const user = await signUpConfirmed();
      const ada = visitor();
      await ada.signIn(user);
      await ada.post('account', { quotaMail });
      assert.equal((await ada.get('account')).body.quotaMail, quotaMail);
      if (used === 799) {
        const day = 86_400;
        await ada.createKey({ name: 'laptop', expiresIn: 8 * day });
        await ada.createKey({ name: 'short', expiresIn: 7 * day });
        const { id } = await ada.createKey({ name: 'rotated', expiresIn: 8 * day });
        await running.pass(day * 1000);
        await ada.post(`keys/${id}/rotate`, { overlap: 60 });
      }
      await running.addUsage((await requireAccount(database, user.email)).id, used);
      users.push(user.email);
    }
    await Promise.all([check(), check()]);
    await check();
    assert.deepEqual(sent, [`quota ${users[0]} `, `expiry ${users[1]} laptop`]);
  });

  it('uses PUBLIC_URL in links, whatever the Host header, also of those about the quota, every hour', async (t) => {
    const started = t.mock.method(globalThis, 'setInterval');
    const settings = { PUBLIC_URL: 'https://api.example.org', MAIL_FROM: 'keys@example.org' };
    const published = await runGateway({ ...behindProxy, SMTP_URL: mailbox.url, ...settings });
    const user = newUser();
    const ada = new Visitor(published.authUrl, { 'X-Forwarded-Host': 'evil.example' });
    await ada.signUp(user, afterSignUp);
    const confirmation = await mailbox.next(user.email);
    assert.ok(confirmation.link.startsWith('https://api.example.org/auth/verify-email?'));
    assert.equal(confirmation.from, 'Pastpaper <keys@example.org>');
    await ada.get(confirmation.link.replace('https://api.example.org/auth', published.authUrl));
    await ada.post('request-password-reset', { email: user.email });
    const { link } = await mailbox.next(user.email);
    const shown = (await ada.get('settings')).body;
    await ada.signIn(user);
    await ada.post('account', { quotaMail: true });
    await published.addUsage((await requireAccount(published.database, user.email)).id, 1200);
    const hourly = started.mock.calls.filter((call) => call.arguments[1] === 3_600_000);
    for (const call of hourly) call.arguments[0]();
    const { text } = await mailbox.next(user.email);
    assert.match(
      text,
      /has used 1,200 of the 1,000 requests of this month\. .* on \d{4}-\d\d-01 at 00:00 UTC/,
    );
    assert.match(text, /^https:\/\/api\.example\.org\/dashboard\/\r?$/m);
    await published.close();
    assert.ok(link.startsWith('https://api.example.org/dashboard/reset-password/#token='), link);
    assert.deepEqual([shown.mail, shown.apiUrl], [true, 'https://api.example.org']);
  });

  it('responds the same when the mail server is down, and logs that without address and link', async () => {
    const known = await signUpConfirmed();
    const broken = await runGateway({
      ...behindProxy,
      SMTP_URL: 'smtp://user:hidden-password@127.0.0.1:9',
    });
    const [here, there] = [visitor, () => new Visitor(broken.authUrl)];
    const user = newUser();
    const signedUp = visibleParts(await here().signUp(newUser(), afterSignUp));
    for (const _ of [1, 2])
      assert.deepEqual(visibleParts(await there().signUp(user, afterSignUp)), signedUp);
    const reset = visibleParts(await here().post('request-password-reset', known));
    for (const { email } of [user, known])
      assert.deepEqual(
        visibleParts(await there().post('request-password-reset', { email })),
        reset,
      );
    await broken.untilLogged(({ length }) => length >= 3);
    // Requests during the shutdown may still log that the database is closed.
    const lines = [...broken.logged];
    await broken.close();
    for (const line of lines) assert.match(line, /^An email could not be sent \(E[A-Z]+\)\. $/);
  });

  it('logs neither an address nor a link', () => {
    assert.doesNotMatch(running.logged.join('\n'), /example|token=|eyJ|phrase/);
  });
});

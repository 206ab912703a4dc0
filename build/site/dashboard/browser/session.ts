import { leaveFor, pages } from './addresses.ts';
import { ask, isSignedOut } from './api.ts';

/** Asks the service as `ask` does, on a page for those who are signed in: who is not is led to sign in. */
export async function askSignedIn<Answer>(...question: Parameters<typeof ask>): Promise<Answer> {
  try {
    return await ask<Answer>(...question);
  } catch (error) {
    if (isSignedOut(error)) leaveFor(pages.signIn);
    throw error;
  }
}

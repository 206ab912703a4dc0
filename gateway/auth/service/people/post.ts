/** Takes links to people, each to the address that it is for. */
export interface Post {
  /** A link that confirms the address. */
  verification(to: string, link: string): Promise<void>;
  /** A link to the page where a new password is set. */
  reset(to: string, link: string): Promise<void>;
  /** To one who signs up again: the answer to the sign-up itself must not tell. */
  existingAccount(to: string, link: string): Promise<void>;
}

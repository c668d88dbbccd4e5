import { base } from "../../data/shell.ts"

/** In place of a screen that is an account's. */
export function SignInFirst({ title }: { title: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p class="notice">
        <a href={`${base}/signup?view=sign-in`}>Sign in</a> first: this belongs to an account.
      </p>
    </>
  )
}

import { base } from "../../data/shell.ts"

/** Replaces a screen that needs an account. */
export function SignInFirst({ title }: { title: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p class="notice">
        <a href={`${base}/signup?view=sign-in`}>Sign in</a> to use this screen.
      </p>
    </>
  )
}

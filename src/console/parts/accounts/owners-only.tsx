import type { ComponentChildren } from "preact"
import { account, isOwner } from "../../data/shell.ts"
import { Link } from "../../routing/router.tsx"
import { SignInFirst } from "./sign-in-first.tsx"

const screens = [
  ["/operate", "Now"],
  ["/operate/accounts", "Accounts"],
  ["/operate/scrapers", "Scrapers"],
  ["/operate/settings", "Settings"],
  ["/operate/log", "Log"],
] as const

interface OwnersOnlyProps {
  title: string
  path: string
  children: ComponentChildren
}

/** A screen for administrators, with links to the others of them. */
export function OwnersOnly({ title, path, children }: OwnersOnlyProps) {
  if (account === undefined) return <SignInFirst title={title} />
  if (!isOwner) {
    return (
      <>
        <h1>{title}</h1>
        <p class="notice">
          Only administrators can open this screen. <Link to="/runs">Your runs</Link> are here.
        </p>
      </>
    )
  }
  return (
    <>
      <h1>{title}</h1>
      <nav class="suggestions after-title" aria-label="Administration">
        {screens.map(([to, name]) => (
          <Link key={to} to={to} class="chip" current={to === path}>
            {name}
          </Link>
        ))}
      </nav>
      {children}
    </>
  )
}

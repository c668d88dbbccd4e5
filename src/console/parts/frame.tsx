import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { account, base, isOwner, root, signUpOpen } from "../data/shell.ts"
import { Link, type PageLocation } from "../routing/router.tsx"
import { matchRoute } from "../routing/routes.ts"

type Screens = readonly (readonly [path: string, name: string])[]

/** The screens of an account, grouped by purpose. */
const groups: readonly (readonly [name: string, screens: Screens])[] = [
  [
    "Work",
    [
      ["/runs", "Runs"],
      ["/datasets", "Datasets"],
      ["/schedules", "Schedules"],
      ["/monitors", "Monitors"],
    ],
  ],
  [
    "Build",
    [
      ["/recipes", "Recipes"],
      ["/bulk", "Bulk"],
      ["/sessions", "Sessions"],
      ["/connect", "Connect"],
    ],
  ],
  [
    "Account",
    [
      ["/destinations", "Destinations"],
      ["/notifications", "Notifications"],
      ["/keys", "Keys"],
      ["/usage", "Usage"],
    ],
  ],
]
/** The screen of administrators. */
const operating = ["/operate", "Operate"] as const

/** The navigation scrolls sideways on a narrow screen and keeps the current entry visible. */
function OwnScreens({ pageLocation: route }: { pageLocation: PageLocation }) {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>("[aria-current]")
    if (current && bar.current) bar.current.scrollLeft = current.offsetLeft - 48
  }, [route.path])
  return (
    <nav aria-label="Account" class="own wide" ref={bar}>
      {groups.map(([group, screens]) => (
        // biome-ignore lint/a11y/useSemanticElements: links are not form fields
        <div key={group} class="nav-group" role="group" aria-label={group}>
          <span class="nav-name" aria-hidden="true">
            {group}
          </span>
          {[...screens, ...(group === "Account" && isOwner ? [operating] : [])].map(
            ([path, name]) => (
              <Link key={path} to={path} current={`${route.path}/`.startsWith(`${path}/`)}>
                {name}
              </Link>
            ),
          )}
        </div>
      ))}
    </nav>
  )
}

/** The header, navigation and footer of all screens. */
export function Frame({
  pageLocation: route,
  children,
}: {
  pageLocation: PageLocation
  children: ComponentChildren
}) {
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  // Moves the focus to a new screen for screen readers, except on the first load.
  useEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true })
    first.current = false
  }, [route.path])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <div class="wide">
          <Link to="/" class="mark">
            <img src={`${base}/favicon.ico`} alt="" width="28" height="28" />
            <span>Trawl</span>
          </Link>
          <nav aria-label="Trawl">
            <Link to="/scrapers" current={route.path.startsWith("/scrapers")}>
              Scrapers
            </Link>
            <Link to="/search" current={route.path === "/search"}>
              Search
            </Link>
            <a href={`${base}/docs`}>API</a>
            <a href={`${base}/docs/guide/${matchRoute(route.path)?.route.help ?? "quick-start"}`}>
              Help
            </a>
            {account === undefined ? (
              <a href={`${base}/signup`} class="door">
                {signUpOpen ? "Sign up" : "Sign in"}
              </a>
            ) : (
              <Link to="/account" current={route.path === "/account"}>
                Account
              </Link>
            )}
          </nav>
        </div>
        {account !== undefined && <OwnScreens pageLocation={route} />}
      </header>
      <main id="main" class="wide" tabIndex={-1} ref={main}>
        {children}
      </main>
      <footer>
        <div class="wide">
          <a href={`${base}/docs/guide`}>Guide</a>
          <a href={`${base}/docs`}>API reference</a>
          <a href={`${base}/llms.txt`}>llms.txt</a>
          <a href={`${base}/openapi.json`}>openapi.json</a>
          <span>
            MCP: <code>{root}/api/mcp?set=meta</code>
          </span>
        </div>
      </footer>
    </>
  )
}

import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { account, base, root, signUpOpen } from "../data/shell.ts"
import { Link, type Place } from "../router.tsx"

/** What all screens have around them. */
export function Frame({ place, children }: { place: Place; children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  // Who uses no eyes hears of the new screen; who arrives stays at the top.
  useEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true })
    first.current = false
  }, [place.path])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <div class="wide">
          <Link to="/" class="mark">
            <img src={`${base}/favicon.ico`} alt="" width="28" height="28" />
            Trawl
          </Link>
          <nav aria-label="Screens">
            <Link to="/scrapers" current={place.path.startsWith("/scrapers")}>
              Scrapers
            </Link>
            {account && (
              <Link to="/runs" current={place.path.startsWith("/runs")}>
                Runs
              </Link>
            )}
            <a href={`${base}/docs`}>API</a>
            <a href={`${base}/signup`} class="door">
              {account ? "Account" : signUpOpen ? "Sign up" : "Sign in"}
            </a>
          </nav>
        </div>
      </header>
      <main id="main" class="wide" tabIndex={-1} ref={main}>
        {children}
      </main>
      <footer>
        <div class="wide">
          <a href={`${base}/docs`}>API reference</a>
          <a href={`${base}/llms.txt`}>llms.txt</a>
          <a href={`${base}/openapi.json`}>openapi.json</a>
          <span>
            MCP: <code>{root}/api/mcp</code>
          </span>
        </div>
      </footer>
    </>
  )
}

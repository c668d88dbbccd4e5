import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { base } from "../data/shell.ts"

export interface PageLocation {
  /** Path below the service's root path, without a trailing slash. */
  path: string
  query: URLSearchParams
}

function here(): PageLocation {
  const path = location.pathname.slice(base.length).replace(/\/+$/, "")
  return { path: path || "/", query: new URLSearchParams(location.search) }
}

const changed = "placechange"

export function usePageLocation(): PageLocation {
  const [route, setRoute] = useState(here)
  useEffect(() => {
    const update = () => setRoute(here())
    addEventListener("popstate", update)
    addEventListener(changed, update)
    return () => {
      removeEventListener("popstate", update)
      removeEventListener(changed, update)
    }
  }, [])
  return route
}

export function go(path: string): void {
  history.pushState(null, "", base + path)
  scrollTo(0, 0)
  dispatchEvent(new Event(changed))
}

/** Writes the state of a screen to its URL, so that a user can bookmark or send it. */
export function replaceUrl(path: string): void {
  history.replaceState(history.state, "", base + path)
}

interface LinkProps {
  to: string
  children: ComponentChildren
  class?: string
  current?: boolean
}

/** A link to another screen. */
export function Link({ to, children, current, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    const isOther = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey
    if (isOther || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return (
    <a href={base + to} onClick={follow} {...(current && { "aria-current": "page" })} {...rest}>
      {children}
    </a>
  )
}

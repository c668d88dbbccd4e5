import type { ComponentChildren } from "preact"

interface LinkListProps<Link> {
  links: readonly Link[]
  busy: boolean
  onRevoke(id: string): void
  /** Describes a link. */
  children(link: Link): ComponentChildren
}

/** Links that give access without a key, each with a button that revokes it. */
export function LinkList<Link extends { id: string }>(props: LinkListProps<Link>) {
  const { links, busy, onRevoke, children } = props
  if (links.length === 0) return null
  return (
    <ul class="links">
      {links.map((link) => (
        <li key={link.id}>
          {children(link)}{" "}
          <button type="button" class="quiet" disabled={busy} onClick={() => onRevoke(link.id)}>
            Revoke
          </button>
        </li>
      ))}
    </ul>
  )
}

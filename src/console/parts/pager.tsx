interface PagerProps {
  /** Cursors of the previous pages. */
  cursors: string[]
  next: string | null
  onPage(cursors: string[]): void
}

/** Buttons for the previous and next page of a long list. */
export function Pager({ cursors, next, onPage }: PagerProps) {
  if (cursors.length === 0 && next === null) return null
  return (
    <div class="bar pages">
      <button
        type="button"
        disabled={cursors.length === 0}
        onClick={() => onPage(cursors.slice(0, -1))}
      >
        Previous
      </button>
      <button
        type="button"
        disabled={next === null}
        onClick={() => next !== null && onPage([...cursors, next])}
      >
        Next
      </button>
    </div>
  )
}

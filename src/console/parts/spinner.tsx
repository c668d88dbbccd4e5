interface SpinnerProps {
  /** Where the parts before the present one began. */
  cursors: string[]
  next: string | null
  onTurn(cursors: string[]): void
}

/** To the next part of a long list, and back. */
export function Spinner({ cursors, next, onTurn }: SpinnerProps) {
  if (cursors.length === 0 && next === null) return null
  return (
    <div class="bar pages">
      <button
        type="button"
        disabled={cursors.length === 0}
        onClick={() => onTurn(cursors.slice(0, -1))}
      >
        Before
      </button>
      <button
        type="button"
        disabled={next === null}
        onClick={() => next !== null && onTurn([...cursors, next])}
      >
        Next
      </button>
    </div>
  )
}

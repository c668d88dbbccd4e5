/** What went wrong, told at once to whoever uses no eyes. */
export function Issue({ children }: { children: string }) {
  if (!children) return null
  return (
    <p class="notice bad" role="alert">
      {children}
    </p>
  )
}

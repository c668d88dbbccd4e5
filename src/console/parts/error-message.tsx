/** An error message, announced to screen readers at once. */
export function ErrorMessage({ children }: { children: string }) {
  if (!children) return null
  return (
    <p class="notice bad" role="alert">
      {children}
    </p>
  )
}

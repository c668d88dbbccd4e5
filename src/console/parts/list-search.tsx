import { useEffect, useState } from "preact/hooks"
import { SearchField } from "./fields.tsx"

interface ListSearchProps {
  placeholder?: string
  value: string
  onChange(text: string): void
}

const afterTypingMs = 300

/** Searches a list on the server after a pause in typing. */
export function ListSearch({ placeholder = "Name or scraper", value, onChange }: ListSearchProps) {
  const [text, setText] = useState(value)
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onChange(text.trim()), afterTypingMs)
    return () => clearTimeout(timer)
  }, [text])
  return <SearchField id="search" placeholder={placeholder} value={text} onChange={setText} />
}

import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useQueryParameters } from '../../data/query-parameters.ts'

const debounceMilliseconds = 250

interface QueryTextFieldProps extends TextInputProps {
  /** The query parameter that holds the text. */
  readonly name: string
}

/**
 * A text filter whose value is a query parameter, updated 250 milliseconds after the last keystroke. When the parameter
 * changes otherwise, such as by the browser's Back, the field shows its new value.
 */
export function QueryTextField({ name, ...rest }: QueryTextFieldProps) {
  const [parameters, change] = useQueryParameters()
  const current = parameters[name] ?? ''
  const [text, setText] = useState(current)
  // The values that this field has set and that the query parameter has not had yet. They never replace the text,
  // because the user may have typed more meanwhile.
  const awaited = useRef<readonly string[]>([])
  const setParameter = useDebouncedCallback((typed: string) => {
    const value = typed.trim()
    if (value !== current) awaited.current = [...awaited.current, value]
    change({ [name]: value, page: '' })
  }, debounceMilliseconds)
  useEffect(() => {
    const at = awaited.current.indexOf(current)
    awaited.current = at === -1 ? [] : awaited.current.slice(at + 1)
    if (at !== -1) return
    setParameter.cancel()
    setText(current)
  }, [current, setParameter])
  return (
    <TextInput
      autoComplete="off"
      {...rest}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        setParameter(event.currentTarget.value)
      }}
    />
  )
}

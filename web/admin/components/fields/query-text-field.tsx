import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useQueryParameters } from '../../data/query-parameters.ts'

const debounceMilliseconds = 250

interface QueryTextFieldProps extends TextInputProps {
  /** The query parameter that holds the text. */
  readonly name: string
}

/** A text filter whose value is a query parameter, updated 250 milliseconds after the last keystroke. */
export function QueryTextField({ name, ...rest }: QueryTextFieldProps) {
  const [parameters, change] = useQueryParameters()
  const current = parameters[name] ?? ''
  const [text, setText] = useState(current)
  const setParameter = useDebouncedCallback(
    (value: string) => change({ [name]: value.trim(), page: '' }),
    debounceMilliseconds,
  )
  // Clears the text when the query parameter was cleared outside of this field.
  useEffect(() => {
    if (current === '') setText('')
  }, [current])
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

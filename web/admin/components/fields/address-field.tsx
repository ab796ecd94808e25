import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useAddress } from '../../data/address.ts'

const pause = 250

interface AddressFieldProps extends TextInputProps {
  /** The query parameter that holds the text. */
  readonly name: string
}

/** A text filter whose value is a query parameter, updated after a debounce. */
export function AddressField({ name, ...rest }: AddressFieldProps) {
  const [address, change] = useAddress()
  const kept = address[name] ?? ''
  const [text, setText] = useState(kept)
  const keep = useDebouncedCallback((value: string) => change({ [name]: value.trim(), page: '' }), pause)
  // Clears the text when the query parameter was cleared outside of this field.
  useEffect(() => {
    if (kept === '') setText('')
  }, [kept])
  return (
    <TextInput
      autoComplete="off"
      {...rest}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        keep(event.currentTarget.value)
      }}
    />
  )
}

import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useAddress } from '../../data/address.ts'

const pause = 250

interface AddressFieldProps extends TextInputProps {
  /** Under which its text stands in the address. */
  readonly name: string
}

/** A field that filters a list: its text stands in the address a moment after the last key. */
export function AddressField({ name, ...rest }: AddressFieldProps) {
  const [address, change] = useAddress()
  const kept = address[name] ?? ''
  const [text, setText] = useState(kept)
  const keep = useDebouncedCallback((value: string) => change({ [name]: value.trim(), page: '' }), pause)
  // The filters were cleared.
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

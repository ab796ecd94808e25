import { PasswordInput } from '@mantine/core'
import type { FormErrors, UseFormReturnType } from '@mantine/form'
import i18next from 'i18next'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordFault } from '../../../../../src/access/users/user.ts'

/** What a form with a new password has, typed twice. */
export interface NewPassword {
  readonly password: string
  readonly repeat: string
}

/** What is wrong with a new password before the service is asked, by field. */
export function newPasswordFaults({ password, repeat }: NewPassword): FormErrors {
  if (passwordFault(password) !== undefined) return { password: i18next.t('setPassword.short') }
  return password === repeat ? {} : { repeat: i18next.t('setPassword.differs') }
}

interface NewPasswordFieldsProps {
  readonly fields: Pick<UseFormReturnType<NewPassword>, 'getInputProps' | 'values'>
  readonly autoFocus?: boolean
  /** Name and address of the person, which make a password easy to guess. */
  readonly words?: readonly string[]
}

// The list of common passwords is larger than the rest of the panel: it comes when somebody begins to type one.
const PasswordStrength = lazy(() => import('./password-strength.tsx'))

/** A new password, twice. */
export function NewPasswordFields({ fields, autoFocus = false, words = [] }: NewPasswordFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <PasswordInput
        label={t('setPassword.password')}
        description={t('setPassword.text')}
        autoComplete="new-password"
        autoFocus={autoFocus}
        {...fields.getInputProps('password')}
      />
      {fields.values.password !== '' && (
        <Suspense>
          <PasswordStrength password={fields.values.password} words={words} />
        </Suspense>
      )}
      <PasswordInput label={t('setPassword.repeat')} autoComplete="new-password" {...fields.getInputProps('repeat')} />
    </>
  )
}

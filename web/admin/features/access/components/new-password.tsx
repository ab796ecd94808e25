import { PasswordInput } from '@mantine/core'
import type { FormErrors, UseFormReturnType } from '@mantine/form'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { passwordFault } from '../../../../../src/access/users/user.ts'
import { lazyPart } from '../../../components/lazy-part.tsx'

/** The values of the fields for a new password: the password and its repetition. */
export interface NewPassword {
  readonly password: string
  readonly repeat: string
}

/**
 * Returns the errors of a new password by field: a password that is too short or too long, or a repetition that
 * differs.
 */
export function validateNewPassword({ password, repeat }: NewPassword): FormErrors {
  if (passwordFault(password) !== undefined) return { password: i18next.t('setPassword.short') }
  return password === repeat ? {} : { repeat: i18next.t('setPassword.differs') }
}

interface NewPasswordFieldsProps {
  readonly fields: Pick<UseFormReturnType<NewPassword>, 'getInputProps' | 'values'>
  readonly autoFocus?: boolean
  /** Name and e-mail address of the user; a password that contains them is easier to guess and rated weaker. */
  readonly words?: readonly string[]
}

// The list of common passwords takes 0.4 MB, so it is loaded on the first keystroke.
const PasswordStrength = lazyPart(() => import('./password-strength.tsx'))

/** Fields for a new password and its repetition, with a strength meter. */
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
      {fields.values.password !== '' && <PasswordStrength password={fields.values.password} words={words} />}
      <PasswordInput label={t('setPassword.repeat')} autoComplete="new-password" {...fields.getInputProps('repeat')} />
    </>
  )
}

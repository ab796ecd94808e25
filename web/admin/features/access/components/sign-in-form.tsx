import { Anchor, Button, Divider, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorAlert, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { signInByPasskey, supportsPasskeys } from '../../../data/passkeys.ts'
import { type Item, request } from '../../../data/request.ts'
import type { SignInEntry } from '../../../data/session.ts'

interface SignInFormProps {
  /** The e-mail address of the user who signs in again after the session has ended; absent on the sign-in page. */
  readonly email?: string
  readonly done: (user: SignInEntry) => Promise<void>
}

type Method = Item<'POST /session/sign-in/'>['methods'][number]

/** The sign-in form: e-mail, password and second factor, or a passkey, which replaces all three. */
export function SignInForm({ email = '', done }: SignInFormProps) {
  const [methods, setMethods] = useState<readonly Method[]>([])
  const [method, setMethod] = useState<Method>('totp')
  const form = useWriteForm({
    initialValues: { email, password: '', code: '', recoveryCode: '' },
    write: async ({ code, recoveryCode, ...entered }) => {
      const second = methods.length === 0 ? {} : method === 'recovery' ? { recoveryCode } : { code }
      const response = await request('POST /session/sign-in/', { body: { ...entered, ...second } })
      if (response.user) return done(response.user)
      setMethods(response.methods)
      setMethod(response.methods[0] ?? 'totp')
    },
  })
  const passkey = usePasskey(done)
  const { t } = useTranslation()
  if (methods.length > 0 && method === 'passkey')
    return (
      <Stack gap="sm">
        <ErrorAlert error={form.problem} />
        <PasskeyButton passkey={passkey} />
        <OtherMethods methods={methods} method={method} choose={setMethod} />
      </Stack>
    )
  if (methods.length > 0)
    return (
      <Stack gap="sm">
        <Form form={form} submitText={t('signIn.confirm')} wide>
          <Text size="sm">{method === 'recovery' ? t('signIn.recoveryText') : t('signIn.secondText')}</Text>
          {method === 'recovery' ? (
            <TextInput
              key="recovery"
              label={t('signIn.recoveryCode')}
              autoComplete="off"
              autoFocus
              {...form.fields.getInputProps('recoveryCode')}
            />
          ) : (
            <TextInput
              key="code"
              label={t('signIn.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              autoFocus
              {...form.fields.getInputProps('code')}
            />
          )}
        </Form>
        <OtherMethods methods={methods} method={method} choose={setMethod} />
      </Stack>
    )
  return (
    <Stack gap="sm">
      <Form form={form} submitText={t('signIn.submit')} wide>
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          autoFocus={email === ''}
          readOnly={email !== ''}
          {...form.fields.getInputProps('email')}
        />
        <PasswordInput
          label={t('signIn.password')}
          autoComplete="current-password"
          autoFocus={email !== ''}
          {...form.fields.getInputProps('password')}
        />
      </Form>
      {supportsPasskeys() && (
        <>
          <Divider label={t('signIn.or')} />
          <PasskeyButton passkey={passkey} />
        </>
      )}
    </Stack>
  )
}

interface Passkey {
  readonly pending: boolean
  readonly failed: boolean
  readonly problem: unknown
  use(): void
}

function usePasskey(done: (user: SignInEntry) => Promise<void>): Passkey {
  const [state, setState] = useState<Omit<Passkey, 'use'>>({ pending: false, failed: false, problem: undefined })
  const use = (): void => {
    setState({ pending: true, failed: false, problem: undefined })
    const go = async (): Promise<void> => {
      const user = await signInByPasskey()
      if (user) await done(user)
      setState({ pending: false, failed: !user, problem: undefined })
    }
    void go().then(undefined, (problem: unknown) => setState({ pending: false, failed: false, problem }))
  }
  return { ...state, use }
}

function PasskeyButton({ passkey }: { readonly passkey: Passkey }) {
  const { t } = useTranslation()
  return (
    <>
      <ErrorAlert error={passkey.problem} />
      <Button
        variant="default"
        fullWidth
        leftSection={<IconKey size={18} stroke={1.5} />}
        loading={passkey.pending}
        onClick={passkey.use}
      >
        {t('signIn.passkey')}
      </Button>
      <Text size="sm" c="red" role="status">
        {passkey.failed && t('signIn.passkeyNo')}
      </Text>
    </>
  )
}

interface OtherMethodsProps {
  readonly methods: readonly Method[]
  readonly method: Method
  readonly choose: (method: Method) => void
}

function OtherMethods({ methods, method, choose }: OtherMethodsProps) {
  const { t } = useTranslation()
  const words = { totp: 'signIn.useCode', recovery: 'signIn.useRecovery', passkey: 'signIn.usePasskey' } as const
  return (
    <Group gap="md">
      {methods
        .filter((one) => one !== method)
        .map((one) => (
          <Anchor key={one} component="button" type="button" size="sm" onClick={() => choose(one)}>
            {t(words[one])}
          </Anchor>
        ))}
    </Group>
  )
}

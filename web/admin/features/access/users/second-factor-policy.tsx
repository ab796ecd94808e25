import { Checkbox, Group, NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { userRoles } from '../../../../../src/access/users/user.ts'
import { toast } from '../../../components/dialogs/toast.tsx'
import { Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { WithHelp } from '../../../components/help.tsx'
import { Section } from '../../../components/section.tsx'
import { ErrorState, LoadingState } from '../../../components/states.tsx'
import { useRead, useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'

type Policy = Item<'GET /security/second-factor/'>

/** Sets which roles require a second factor, and how many days users have to set one up. */
export function SecondFactorPolicyForm() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /security/second-factor/', {})
  return (
    <Section title={t('security.policy.title')} text={t('security.policy.text')}>
      {data ? (
        <PolicyForm policy={data} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState lines={2} />
      )}
    </Section>
  )
}

function PolicyForm({ policy }: { readonly policy: Policy }) {
  const { t } = useTranslation()
  const set = useWrite('POST /security/second-factor/', ['GET /security/second-factor/', 'GET /session/'])
  const form = useWriteForm<{ readonly roles: string[]; readonly graceDays: number | string }>({
    initialValues: { roles: [...policy.roles], graceDays: policy.graceDays },
    stored: policy,
    validate: ({ graceDays }) => (graceDays === '' ? { graceDays: t('common.numberMissing') } : {}),
    write: async ({ roles, graceDays }) => {
      const chosen = userRoles.filter((role) => roles.includes(role))
      await set.mutateAsync({ body: { roles: chosen, graceDays: Number(graceDays) } })
      toast(t('common.saved'))
    },
  })
  return (
    <Form form={form} submitText={t('common.save')}>
      <Checkbox.Group label={t('security.policy.roles')} {...form.fields.getInputProps('roles')}>
        <Group mt="xs">
          {userRoles.map((role) => (
            <Checkbox key={role} value={role} label={t(`roles.${role}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <WithHelp label={t('security.policy.graceDays')} help={t('security.policy.graceHelp')}>
        <NumberInput
          label={t('security.policy.graceDays')}
          min={0}
          max={365}
          allowDecimal={false}
          w="fit-content"
          miw={160}
          {...form.fields.getInputProps('graceDays')}
        />
      </WithHelp>
    </Form>
  )
}

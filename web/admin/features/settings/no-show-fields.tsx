import { NumberInput, Select, SimpleGrid, Switch, Title } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { NoShowPolicy } from '../../../../src/catalogue/site/no-show-policy.ts'

/** The form values of the no-show policy, and whether the policy applies. */
export interface NoShowValues {
  readonly noShowsApply: boolean
  readonly noShows: NoShowPolicy
}

const verdicts = ['allow', 'approve', 'refuse'] as const

/** Converts the no-show policy of a site to form values; default values when the site has none (null). */
export function noShowValues(policy: NoShowPolicy | null): NoShowValues {
  return { noShowsApply: policy !== null, noShows: policy ?? { count: 2, months: 6, online: 'allow' } }
}

/** Form fields for the no-show policy: what happens when a customer has missed several appointments. */
export function NoShowFields({ fields }: { readonly fields: UseFormReturnType<NoShowValues> }) {
  const { t } = useTranslation()
  return (
    <>
      <Title order={2} mt="md" id="no-shows">
        {t('policies.noShows.title')}
      </Title>
      <Switch
        label={t('policies.noShows.on')}
        description={t('policies.noShows.help')}
        {...fields.getInputProps('noShowsApply', { type: 'checkbox' })}
      />
      {fields.values.noShowsApply && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <NumberInput
              label={t('policies.noShows.count')}
              min={1}
              max={50}
              allowDecimal={false}
              {...fields.getInputProps('noShows.count')}
            />
            <NumberInput
              label={t('policies.noShows.months')}
              min={1}
              max={60}
              allowDecimal={false}
              {...fields.getInputProps('noShows.months')}
            />
          </SimpleGrid>
          <Select
            label={t('policies.noShows.online')}
            description={t('policies.noShows.onlineHelp')}
            data={verdicts.map((value) => ({ value, label: t(`policies.noShows.verdicts.${value}`) }))}
            allowDeselect={false}
            {...fields.getInputProps('noShows.online')}
          />
        </>
      )}
    </>
  )
}

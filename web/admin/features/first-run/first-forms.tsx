import { Button, Group, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxAppointmentMinutes } from '../../../../src/catalogue/services/service.ts'
import { unnamed } from '../../../../src/catalogue/site/site.ts'
import { minorDigits } from '../../../../src/money.ts'
import { CurrencySelect } from '../../components/fields/currency-select.tsx'
import { LanguageSelect } from '../../components/fields/language-select.tsx'
import { Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { ZoneSelect } from '../../components/fields/zone-select.tsx'
import { WithHelp } from '../../components/help.tsx'
import { deviceZone } from '../../data/dates/formats.ts'
import { toMinorUnits } from '../../data/dates/money.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useSession } from '../../data/session.ts'
import { AddProviderForm } from '../providers/provider-add.tsx'

interface FirstFormProps {
  /** Continues with the next step of the first-run guide. */
  readonly next: () => void
}

/** The first-run step that sets name, time zone, language and currency of the site. */
export function FirstSite({ next }: FirstFormProps) {
  const { data } = useRead('GET /site/', {})
  return data ? <SiteFields site={data} next={next} /> : null
}

function SiteFields({ site, next }: FirstFormProps & { readonly site: Item<'GET /site/'> }) {
  const { t, i18n } = useTranslation()
  const edit = useWrite('POST /site/edit/', ['GET /site/', 'GET /session/'])
  const isNew = site.name === unnamed
  const form = useWriteForm({
    initialValues: {
      name: isNew ? '' : site.name,
      timezone: isNew ? deviceZone : site.timezone,
      language: isNew ? i18n.language : site.language,
      currency: site.currency,
    },
    write: async (body) => {
      await edit.mutateAsync({ body })
      next()
    },
  })
  return (
    <Form form={form} submitText={t('firstRun.go')}>
      <TextInput label={t('site.name')} autoComplete="organization" autoFocus {...form.fields.getInputProps('name')} />
      <WithHelp label={t('site.timezone')} help={t('site.timezoneHelp')}>
        <ZoneSelect label={t('site.timezone')} {...form.fields.getInputProps('timezone')} />
      </WithHelp>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <LanguageSelect label={t('site.language')} {...form.fields.getInputProps('language')} />
        <CurrencySelect label={t('site.currency')} {...form.fields.getInputProps('currency')} />
      </SimpleGrid>
    </Form>
  )
}

/** The first-run step that adds a service with name, duration and price. */
export function FirstService({ next }: FirstFormProps) {
  const { data } = useRead('GET /services/', { per_page: 5 })
  return (
    <AddOrContinue names={data?.items.map(({ name }) => name) ?? []} next={next}>
      {(added) => <ServiceFields added={added} />}
    </AddOrContinue>
  )
}

function ServiceFields({ added }: { readonly added: () => void }) {
  const { t } = useTranslation()
  const currency = useSession()?.site.currency ?? 'EUR'
  const add = useWrite('POST /services/add/', ['GET /services/'])
  const form = useWriteForm<{ name: string; durationMinutes: number | string; price: number | string }>({
    initialValues: { name: '', durationMinutes: 60, price: '' },
    validate: ({ name, durationMinutes }) => ({
      ...(name.trim() === '' && { name: t('services.nameMissing') }),
      ...(durationMinutes === '' && { durationMinutes: t('services.numberMissing') }),
    }),
    write: async ({ name, durationMinutes, price }) => {
      const cost = price === '' ? null : toMinorUnits(Number(price), currency)
      await add.mutateAsync({ body: { name, durationMinutes: Number(durationMinutes), price: cost } })
      added()
    },
  })
  return (
    <Form form={form} submitText={t('firstRun.go')}>
      <TextInput label={t('services.name')} autoComplete="off" autoFocus {...form.fields.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberInput
          label={t('services.fields.durationMinutes')}
          suffix={t('services.minutes')}
          min={1}
          max={maxAppointmentMinutes}
          allowDecimal={false}
          {...form.fields.getInputProps('durationMinutes')}
        />
        <NumberInput
          label={t('services.fields.price')}
          suffix={` ${currency}`}
          min={0}
          decimalScale={minorDigits(currency)}
          {...form.fields.getInputProps('price')}
        />
      </SimpleGrid>
    </Form>
  )
}

/** The first-run step that adds a provider with opening hours. */
export function FirstProvider({ next }: FirstFormProps) {
  const { t } = useTranslation()
  const { data } = useRead('GET /providers/', { per_page: 5 })
  return (
    <AddOrContinue names={data?.items.map(({ name }) => name) ?? []} next={next}>
      {(added) => <AddProviderForm added={added} submitText={t('firstRun.go')} />}
    </AddOrContinue>
  )
}

interface AddOrContinueProps extends FirstFormProps {
  /** The names of existing services or providers, at most five; empty until they have loaded. */
  readonly names: readonly string[]
  /** Renders the form that adds a service or provider; the form calls `added` after it has added one. */
  readonly children: (added: () => void) => ReactNode
}

/**
 * Shows the form that adds a service or provider. When some exist already, shows their names and two buttons instead:
 * one opens the form, the other continues with the next step.
 */
function AddOrContinue({ names, next, children }: AddOrContinueProps) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  if (names.length === 0 || adding) return children(next)
  return (
    <>
      <Text size="sm" className="breakable">
        {t('firstRun.already', { names: names.join(', ') })}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => setAdding(true)}>
          {t('firstRun.another')}
        </Button>
        <Button onClick={next} autoFocus>
          {t('firstRun.go')}
        </Button>
      </Group>
    </>
  )
}

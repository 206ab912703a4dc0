import { offerToCopy } from '../../browser/copy-samples.ts';
import { fillInOrigin } from '../../browser/origin.ts';
import { tabSamples } from '../../browser/sample-tabs.ts';
import { openForm } from './try-form.ts';

fillInOrigin();
tabSamples();
offerToCopy();
await openForm();

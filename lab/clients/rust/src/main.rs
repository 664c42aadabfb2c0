use std::env::var;

use plants::apis::configuration::Configuration;
use plants::apis::plants_api::{create_plant, CreatePlantError};
use plants::apis::{Error, ResponseContent};
use plants::models::NewPlant;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let configuration = Configuration {
        base_path: var("BASE_URL")?,
        bearer_access_token: Some(var("PLANT_STORE_TOKEN")?),
        ..Configuration::new()
    };
    for (id, name) in [(9007199254740993, "Fern"), (9223372036854775807, "Fern"), (9223372036854775807, "Moss")] {
        match create_plant(&configuration, NewPlant::new(id, name.to_string())).await {
            Ok(plant) => println!("{}", plant.name),
            Err(Error::ResponseError(ResponseContent {
                entity: Some(CreatePlantError::Status400(refusal)),
                ..
            })) => println!("{}", refusal.error),
            Err(failure) => return Err(failure.into()),
        }
    }
    Ok(())
}
